import cluster from 'node:cluster'
import type { Log } from '#kernel/log'

/** Why a start ends early: somebody asked the process to stop. */
class StopRequested extends Error {
  override readonly name = 'StopRequested'
}

/** npm passes on the signal that a terminal has already sent to everything it runs. */
const sameRequestMs = 1_000

/**
 * Aborted on the first request to stop, with the reason. A second one ends the process at once. To be called before
 * anything is started that would outlive this process.
 */
export function listenForStop(log: Log): AbortSignal {
  const stopping = new AbortController()
  let since = 0
  const stop = (reason: string): void => {
    if (!stopping.signal.aborted) {
      since = Date.now()
      log.info({ reason }, 'stopping: running requests may finish')
      stopping.abort(new StopRequested(reason))
      return
    }
    // A worker may get the signal from the terminal and from the primary process; only a person means a second one.
    if (!cluster.isWorker && Date.now() - since > sameRequestMs) process.exit(1)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  // Both reach every process of the terminal; workers wait for the primary process.
  process.on('SIGINT', () => !cluster.isWorker && stop('SIGINT'))
  process.on('SIGHUP', () => !cluster.isWorker && stop('SIGHUP'))
  // Only now: without any listener a signal that has arrived and waits for the event loop would be lost.
  process.removeListener('SIGTERM', endNow).removeListener('SIGINT', endNow).removeListener('SIGHUP', endNow)
  if (cluster.isWorker) process.once('disconnect', () => stop('the primary process ended'))
  return stopping.signal
}

/** Ends the process in the ordinary way, so that what it started is ended with it. */
export function endOnSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, endNow)
}

const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

function endNow(signal: NodeJS.Signals): void {
  process.exit(exitCodes[signal] ?? 1)
}

/** Resolves when a stop is requested. */
export function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The result of the work, or the reason of a stop that comes before it; then nobody waits for the work any longer. */
export function unlessStopped<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  // The loser of the race must not count as an unhandled rejection.
  work.catch(() => undefined)
  const stopped = untilStopped(stop).then((): never => {
    throw stop.reason as Error
  })
  stopped.catch(() => undefined)
  return Promise.race([work, stopped])
}
