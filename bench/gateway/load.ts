import { Pool, type Dispatcher } from 'undici'
import type { LoadJob, LoadResult } from './load-job.ts'

/** A process of its own, so that its work is not counted as anybody else's. One job a message. */
process.on('message', (job: LoadJob) => void reply(job))
process.on('disconnect', () => process.exit(0))

const pools = new Map<string, Pool>()
const timeoutMs = 20_000

async function reply(job: LoadJob): Promise<void> {
  process.send?.(await run(job))
}

async function run(job: LoadJob): Promise<LoadResult> {
  const pool = poolFor(job.origin)
  const latency: number[] = []
  const firstToken: number[] = []
  let failures = 0
  let left = job.requests

  async function client(): Promise<void> {
    while (left > 0) {
      left -= 1
      const timed = await once(pool, job)
      if (!timed) failures += 1
      else {
        latency.push(timed.whole)
        firstToken.push(timed.first)
      }
    }
  }

  const started = performance.now()
  await Promise.all(Array.from({ length: job.concurrency }, client))
  const seconds = (performance.now() - started) / 1000
  return { seconds, latency, firstToken, failures }
}

function poolFor(origin: string): Pool {
  const known = pools.get(origin)
  if (known) return known
  const pool = new Pool(origin, { connections: 256, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  pools.set(origin, pool)
  return pool
}

/** Undefined unless the response was complete with status 200. */
function once(pool: Pool, { path, headers, body }: LoadJob) {
  return new Promise<{ first: number; whole: number } | undefined>((resolve) => {
    const started = performance.now()
    let first = 0
    let isGood = false
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status) => void (isGood = status === 200),
      onResponseData: () => void (first ||= performance.now() - started),
      onResponseEnd: () => resolve(isGood ? { first, whole: performance.now() - started } : undefined),
      onResponseError: () => resolve(undefined),
    }
    pool.dispatch({ path, method: 'POST', headers, body }, handler)
  })
}
