import cluster from 'node:cluster'
import type { Log } from '#kernel/log'

/** Resolves on the first request to stop. A second one ends the process at once. */
export function untilStopped(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const stop = (reason: string): void => {
      // A terminal and the primary process may both send the signal to a worker; only a person insists.
      if (asked && !cluster.isWorker) process.exit(1)
      if (asked) return
      asked = true
      log.info({ reason }, 'stopping: running requests may finish')
      resolve()
    }
    process.on('SIGTERM', () => stop('SIGTERM'))
    // Ctrl-C reaches the whole terminal group; workers wait for the primary's word.
    process.on('SIGINT', () => !cluster.isWorker && stop('SIGINT'))
    if (cluster.isWorker) process.once('disconnect', () => stop('the primary process is gone'))
  })
}
