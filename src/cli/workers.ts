import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Config } from '#kernel/config'
import { relayCatchUp } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { answerWorkersWithMetrics } from '#kernel/metrics'
import { unlessStopped } from './signals.ts'

export interface Workers {
  url: string
  stop(): Promise<void>
}

const restartPauseMs = 1_000
/** For what a worker does once its requests have ended, such as copying the usage journal. */
const afterRequestsMs = 10_000

/** Starts the processes that share the port, and replaces one that dies. A stop during the start ends them. */
export async function runWorkers(config: Config, log: Log, stop: AbortSignal): Promise<Workers> {
  let stopping = false
  answerWorkersWithMetrics()
  relayCatchUp()
  const first = Array.from({ length: config.WORKERS }, () => cluster.fork())
  const stopAll = async (): Promise<void> => {
    const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const limitMs = config.DRAIN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS + afterRequestsMs
    await Promise.all(alive.map((worker) => stopWorker(worker, limitMs, log)))
  }
  const urls = await unlessStopped(stop, Promise.all(first.map(untilReady))).catch(async (error: unknown) => {
    await stopAll()
    // Ctrl-C may end a worker before this process notices it.
    stop.throwIfAborted()
    throw error
  })

  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    log.error({ worker: worker.process.pid, code, signal }, 'a worker died and is being replaced')
    // A worker that cannot start would otherwise be forked in a tight loop.
    setTimeout(() => !stopping && cluster.fork(), code === 0 || signal ? 0 : restartPauseMs)
  })

  return {
    url: urls[0] ?? '',
    async stop() {
      stopping = true
      await stopAll()
    },
  }
}

function untilReady(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: { signalbox?: string; url?: string }) => {
      if (message.signalbox === 'ready') resolve(message.url ?? '')
    })
    worker.once('exit', () =>
      reject(new StartFault('A worker ended before it was ready; the lines above say why.')),
    )
  })
}

/** One that hangs must not keep the others and the database from stopping. */
async function stopWorker(worker: Worker, limitMs: number, log: Log): Promise<void> {
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  const timer = setTimeout(() => {
    log.error({ worker: worker.process.pid, limitMs }, 'a worker did not stop in time and is ended')
    worker.process.kill('SIGKILL')
  }, limitMs)
  await ended
  clearTimeout(timer)
}
