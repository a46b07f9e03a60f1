import type { EventSourceMessage } from 'eventsource-parser'
import type { ConsoleEvent, StreamGap } from '#console/contract'
import { readMessages } from '../../../api/server-sent-events.ts'
import type { LiveListener } from './messages.ts'

/** The server sends at least a comment every 15 seconds. */
const maxSilence = 45_000
const firstWait = 1000
const longestWait = 15_000

export interface ConnectionOptions {
  fetch?: typeof fetch
  /** Waits before the next attempt. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Reads the stream of a group until it is stopped, and resumes it after the last event when it breaks. */
export function openConnection(
  groupId: string,
  listener: LiveListener,
  options: ConnectionOptions = {},
): () => void {
  const stop = new AbortController()
  void keepReading(groupId, listener, stop.signal, options)
  return () => stop.abort()
}

async function keepReading(
  groupId: string,
  listener: LiveListener,
  stopped: AbortSignal,
  { fetch: send = fetch, wait = waitFor }: ConnectionOptions,
): Promise<void> {
  let lastId: string | undefined
  let failures = 0
  const tell: LiveListener = (message) => {
    if (!stopped.aborted) listener(message)
  }
  while (!stopped.aborted) {
    const watch = new Watchdog(stopped)
    try {
      const response = await send('/api/console/stream', {
        headers: headersOf(groupId, lastId),
        signal: watch.signal,
      })
      if ([401, 403, 404].includes(response.status)) return tell({ kind: 'state', state: 'refused' })
      if (!response.ok || !response.body) throw new Error(`The stream returned ${response.status}`)
      tell({ kind: 'state', state: 'open', isResumed: lastId !== undefined })
      for await (const received of readMessages(response.body)) {
        watch.reset()
        failures = 0
        lastId = received.lastId ?? lastId
        report(received.messages, tell)
      }
      // The server ends a stream from time to time to check again who reads it.
    } catch {
      failures += 1
      tell({ kind: 'state', state: 'lost' })
    } finally {
      watch.stop()
    }
    await wait(Math.min(longestWait, firstWait * 2 ** Math.max(0, failures - 1)), stopped)
  }
}

const headersOf = (groupId: string, lastId: string | undefined): Record<string, string> => ({
  accept: 'text/event-stream',
  'x-group-id': groupId,
  ...(lastId !== undefined && { 'last-event-id': lastId }),
})

/** All events of a piece in one message, with gaps in their place between them. */
function report(messages: readonly EventSourceMessage[], tell: LiveListener): void {
  let events: ConsoleEvent[] = []
  const flush = () => {
    if (events.length > 0) tell({ kind: 'events', events })
    events = []
  }
  for (const { event, data } of messages) {
    if (event !== 'gap') events.push(JSON.parse(data) as ConsoleEvent)
    else {
      flush()
      tell({ kind: 'gap', gap: JSON.parse(data) as StreamGap })
    }
  }
  flush()
}

/** Ends a connection on which nothing arrives any more. */
class Watchdog {
  readonly #silent = new AbortController()
  readonly signal: AbortSignal
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(stopped: AbortSignal) {
    this.signal = AbortSignal.any([stopped, this.#silent.signal])
    this.reset()
  }

  reset(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#silent.abort(), maxSilence)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** Ends early when the signal aborts. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
