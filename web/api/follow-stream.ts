import type { EventSourceMessage } from 'eventsource-parser'
import { readMessages } from './server-sent-events.ts'

/** The server sends at least a comment every 15 seconds. */
const maxSilence = 45_000
const firstWait = 1000
const longestWait = 15_000

export interface StreamListener {
  onOpen(isResumed: boolean): void
  onMessages(messages: readonly EventSourceMessage[]): void
  /** The connection was lost; the next attempt follows. */
  onLost(): void
  /** The server refuses: nobody is signed in, or it is not theirs. No attempt follows. */
  onRefused(): void
}

export interface StreamOptions {
  fetch?: typeof fetch
  /** Waits before the next attempt. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Asked when the server has ended the stream: whether nothing can follow. */
  isComplete?: () => boolean
}

/** Reads a stream in a group until it is stopped, and resumes it after the last event when it breaks. */
export function followStream(
  path: string,
  groupId: string,
  listener: StreamListener,
  options: StreamOptions = {},
): () => void {
  const stop = new AbortController()
  void keepReading(path, groupId, listener, stop.signal, options)
  return () => stop.abort()
}

async function keepReading(
  path: string,
  groupId: string,
  listener: StreamListener,
  stopped: AbortSignal,
  { fetch: send = fetch, wait = waitFor, isComplete = () => false }: StreamOptions,
): Promise<void> {
  let lastId: string | undefined
  let failures = 0
  const tell = (report: () => void) => {
    if (!stopped.aborted) report()
  }
  while (!stopped.aborted) {
    const watch = new Watchdog(stopped)
    try {
      const response = await send(path, { headers: headersOf(groupId, lastId), signal: watch.signal })
      if ([401, 403, 404].includes(response.status)) return tell(() => listener.onRefused())
      if (!response.ok || !response.body) throw new Error(`The stream returned ${response.status}`)
      tell(() => listener.onOpen(lastId !== undefined))
      for await (const received of readMessages(response.body)) {
        watch.reset()
        failures = 0
        lastId = received.lastId ?? lastId
        tell(() => listener.onMessages(received.messages))
      }
      // The server ends a stream from time to time to check again who reads it.
      if (isComplete()) return
    } catch {
      failures += 1
      tell(() => listener.onLost())
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
