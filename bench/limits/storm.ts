import { setTimeout as wait } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { model, type Scene } from './scene.ts'

export interface Storm {
  served: number
  /** Because the budget is spent. */
  refused: number
  /** Because running requests had reserved the rest; they tried again. */
  waited: number
  /** 503: the limit could not be counted. */
  outage: number
  /** The connection broke. */
  broken: number
}

const longestMs = 90_000
/** Of about 1,000 tokens, as the fake provider says. */
const content = 'a word '.repeat(450)

/** Clients at the same time, each of which asks until it is served or told that the budget is spent; then all again. */
export async function storm(scene: Scene, clients: number): Promise<Storm> {
  const connections = new Agent({ connections: 512 })
  const count: Storm = { served: 0, refused: 0, waited: 0, outage: 0, broken: 0 }
  const until = Date.now() + longestMs
  async function client(n: number): Promise<void> {
    for (let turn = n; Date.now() < until; turn++) {
      const replica = scene.replicas[turn % scene.replicas.length]
      try {
        const response = await fetch(`${replica?.url}/v1/chat/completions`, {
          method: 'POST',
          dispatcher: connections,
          headers: { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ model, max_tokens: 100, messages: [{ role: 'user', content }] },
          }),
          signal: AbortSignal.timeout(30_000),
        })
        await response.text()
        if (response.status === 200) count.served++
        else if (response.status !== 429) count.outage++
        else if (response.headers.get('x-should-retry') === 'false') {
          count.refused++
          return
        } else count.waited++
      } catch {
        count.broken++
      }
      await wait(300)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))
  await connections.destroy()
  return count
}
