import { setTimeout as wait } from 'node:timers/promises'
import { Agent, fetch } from 'undici'

/** What became of one request, as its client saw it. */
export interface Sent {
  n: number
  /** From the response headers: the gateway accepted it. */
  requestId: string | null
  status: number | null
  wasAborted: boolean
  /** The response was complete. */
  isWhole: boolean
}

export interface LoadOptions {
  url: string
  key: string
  /** Requests at a time. */
  clients: number
  /** Between two requests of a client. */
  pauseMs: number
}

export interface Load {
  /** No new requests; waits for those that run, for a while. */
  stop(): Promise<void>
}

const models = ['gpt-6-sol', 'claude-sonnet-5-5']

/** Clients that ask all the time: half of them for streams, and some leave in the middle. */
export function startLoad({ url, key, clients, pauseMs }: LoadOptions, ledger: Sent[]): Load {
  // Of its own, so that no connection outlives the load.
  const connections = new Agent()
  let isOver = false
  async function client(): Promise<void> {
    while (!isOver) {
      const sent: Sent = {
        n: ledger.length,
        requestId: null,
        status: null,
        wasAborted: false,
        isWhole: false,
      }
      ledger.push(sent)
      await ask({ url, key, connections }, sent).catch(() => undefined)
      await wait(pauseMs)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    async stop() {
      isOver = true
      await running
      await connections.destroy()
    },
  }
}

async function ask(
  { url, key, connections }: Pick<LoadOptions, 'url' | 'key'> & { connections: Agent },
  sent: Sent,
): Promise<void> {
  const { n } = sent
  const isStream = n % 2 === 0
  const leaver = new AbortController()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    dispatcher: connections,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: models[Math.floor(n / 2) % models.length],
      stream: isStream,
      metadata: { n: String(n) },
      messages: [{ role: 'user', content: markOf(n) }],
    }),
    signal: AbortSignal.any([leaver.signal, AbortSignal.timeout(30_000)]),
  })
  sent.status = response.status
  sent.requestId = response.headers.get('x-request-id')
  sent.wasAborted = isStream && n % 10 === 0
  const reader = response.body?.getReader()
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    if (sent.wasAborted) return leaver.abort()
  }
  sent.isWhole = true
}

/** By which the fake provider's side of a request is recognised. */
export const markOf = (n: number): string => `this is request ${n} of the bench`

export function numberIn(text: string): number | undefined {
  const found = /this is request (\d+) of the bench/.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}
