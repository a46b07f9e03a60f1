import { Agent, request } from 'undici'

export interface Load {
  /** How many have ended well so far. */
  served(): number
  /** Ends the load and returns how every request ended that did not end well. */
  stop(): Promise<string[]>
}

/** Small chat completions, one after the other in each of some clients with connections that are kept alive. */
export function startLoad(key: string, choose: () => string, clients = 8): Load {
  const agent = new Agent({ connections: clients * 2, pipelining: 1 })
  const failed: string[] = []
  let served = 0
  let isStopping = false
  const body = JSON.stringify({ model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] })
  async function ask(): Promise<void> {
    const url = choose()
    const answer = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    })
    const text = await answer.body.text()
    if (answer.statusCode === 200) served++
    else failed.push(`${url} ${answer.statusCode} ${text.slice(0, 200)}`)
  }
  async function client(): Promise<void> {
    while (!isStopping) {
      try {
        await ask()
      } catch (error) {
        failed.push(String(error))
      }
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  return {
    served: () => served,
    async stop() {
      isStopping = true
      await all
      await agent.close()
      return failed
    },
  }
}
