import { setTimeout as wait } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { features, type Feature } from './features.ts'

/** What became of the requests of one phase. */
export interface Phase {
  sent: number
  accepted: number
  /** The server said no: 4xx or 5xx. */
  refused: number
  /** No answer, or half of one. */
  failed: number
  /** How those ended that were not accepted, and how many of them. */
  complaints: Map<string, number>
}

export interface Load {
  /** Requests count there from now on. */
  begin(): Phase
  accepted(feature: Feature): ReadonlySet<string>
  stop(): Promise<void>
}

const limitMs = 30_000
const newPhase = (): Phase => ({ sent: 0, accepted: 0, refused: 0, failed: 0, complaints: new Map() })

/** Clients of every feature, through one address, until it is stopped. */
export function startLoad(url: string, key: string): Load {
  const accepted = new Map(features.map((feature) => [feature, new Set<string>()]))
  const connections = new Agent()
  let phase = newPhase()
  let isOver = false
  let next = 1

  async function send(feature: Feature, n: number): Promise<{ status: number; text: string }> {
    const { path, json } = feature.request(n)
    const body = JSON.stringify(json)
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      dispatcher: connections,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...feature.headers?.(body),
      },
      body,
      signal: AbortSignal.timeout(limitMs),
    })
    const text = await response.text()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream && !text.includes('data: [DONE]')) throw new Error(`half a stream: ${text.slice(-200)}`)
    if (response.ok) accepted.get(feature)?.add(feature.idOf(n, isStream ? {} : JSON.parse(text)))
    return { status: response.status, text }
  }

  async function ask(feature: Feature): Promise<void> {
    const n = next++
    const mine = phase
    const complain = (text: string): void => {
      const line = `${feature.name}: ${text
        .slice(0, 300)
        .replaceAll(/\d+|\s+/g, ' ')
        .slice(0, 160)}`
      mine.complaints.set(line, (mine.complaints.get(line) ?? 0) + 1)
    }
    mine.sent++
    try {
      const { status, text } = await send(feature, n)
      if (status < 300) mine.accepted++
      else {
        mine.refused++
        complain(text)
      }
    } catch (error) {
      mine.failed++
      complain(String(error))
    }
  }

  async function client(feature: Feature): Promise<void> {
    while (!isOver) {
      await ask(feature)
      await wait(feature.pauseMs)
    }
  }

  const clients = features.flatMap((feature) =>
    Array.from({ length: feature.clients }, () => client(feature)),
  )
  return {
    begin: () => (phase = newPhase()),
    accepted: (feature) => accepted.get(feature) ?? new Set(),
    async stop() {
      isOver = true
      await Promise.all(clients)
      await connections.destroy()
    },
  }
}
