import cluster from 'node:cluster'
import type { Log } from '#kernel/log'

/** Resolves on the first request to stop. A second one ends the process at once. */
export function untilStopped(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = (reason: string): void => {
      // A worker may get the signal from the terminal and from the primary process; only a person means a second one.
      if (isStopping && !cluster.isWorker) process.exit(1)
      if (isStopping) return
      isStopping = true
      log.info({ reason }, 'stopping: running requests may finish')
      resolve()
    }
    process.on('SIGTERM', () => stop('SIGTERM'))
    // Ctrl-C reaches the whole terminal group; workers wait for the primary process.
    process.on('SIGINT', () => !cluster.isWorker && stop('SIGINT'))
    if (cluster.isWorker) process.once('disconnect', () => stop('the primary process ended'))
  })
}
