import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadJob, LoadResult } from './load-job.ts'
import { processorMicroseconds, residentMegabytes, stop } from './processes.ts'
import { chunkText, type Scenario } from './scenarios.ts'
import type { Target } from './targets.ts'

/** One turn of one target; times of every request in milliseconds. */
export interface Measured {
  /** Processor time of the target for one request, in microseconds; NaN where it cannot be had. */
  processor: number
  perSecond: number
  latency: readonly number[]
  firstToken: readonly number[]
  /** Resident memory right after, in megabytes. */
  memory: number
}

export interface Spread {
  p50: number
  p99: number
}

/** All turns together, with the processor time as a multiple of the proxies'. */
export interface Compared extends Pick<Measured, 'processor' | 'perSecond' | 'memory'> {
  ofBare: number
  ofLeanest: number
  latency: Spread
  firstToken: Spread
}

export interface Load {
  /** One round of a scenario, or a part of it. */
  measure(target: Target, scenario: Scenario, part?: number): Promise<Measured>
  stop(): Promise<void>
}

const roundLimitMs = 60_000

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, 'load.ts'), { execArgv: [] })
  return {
    async measure(target, scenario, part = 1) {
      const { concurrency } = scenario
      const requests = Math.max(concurrency, Math.round(scenario.requests * target.share * part))
      const before = processorMicroseconds(target.pid) ?? NaN
      const result = await ask(child, { ...target.job(scenario), concurrency, requests })
      const after = processorMicroseconds(target.pid) ?? NaN
      if (result.failures > 0) noteFailures(target, scenario, result.failures, requests)
      return {
        processor: (after - before) / requests,
        perSecond: requests / result.seconds,
        latency: result.latency,
        firstToken: result.firstToken,
        memory: residentMegabytes(target.pid) ?? NaN,
      }
    },
    stop: () => stop(child),
  }
}

/** A peer that fails now and then is still compared, and said to; our own must not. */
function noteFailures({ name }: Target, scenario: Scenario, failures: number, requests: number): void {
  const what = `${name}, ${scenario.name}: ${failures} of ${requests} requests failed`
  if (name !== 'portkey' || failures > requests / 10) throw new Error(what)
  console.error(what)
}

async function ask(child: ChildProcess, job: LoadJob): Promise<LoadResult> {
  const reply = once(child, 'message', { signal: AbortSignal.timeout(roundLimitMs) })
  child.send(job)
  const [result] = (await reply) as [LoadResult]
  return result
}

/** Before anything is measured: every target must return the whole response. */
export async function checkResponse(target: Target, scenario: Scenario): Promise<void> {
  const { origin, path, headers, body } = target.job(scenario)
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(origin + path, { method: 'POST', headers, body, signal })
  const text = await response.text()
  const found = text.split(chunkText).length - 1
  if (response.status === 200 && found === scenario.chunks) return
  throw new Error(
    `${target.name}, ${scenario.name}: status ${response.status} with ${found} of ${scenario.chunks} chunks: ${text.slice(0, 300)}`,
  )
}

/**
 * Processor time is that of all turns together, since a single one is short for the kernel's clock; speed and memory are
 * those of the middle turn, and times those of all requests: a single turn has too few for a p99.
 */
export function compareTurns(
  own: readonly Measured[],
  bare: readonly Measured[],
  leanest: readonly Measured[],
): Compared {
  const of = (name: 'perSecond' | 'memory'): number => middle(own.map((turn) => turn[name]))
  const processor = processorOf(own)
  return {
    processor,
    ofBare: processor / processorOf(bare),
    ofLeanest: processor / processorOf(leanest),
    perSecond: of('perSecond'),
    latency: spread(own.flatMap(({ latency }) => latency)),
    firstToken: spread(own.flatMap(({ firstToken }) => firstToken)),
    memory: of('memory'),
  }
}

function processorOf(turns: readonly Measured[]): number {
  return turns.reduce((sum, { processor }) => sum + processor, 0) / turns.length
}

function spread(times: number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN
  return { p50: at(0.5), p99: at(0.99) }
}

export function middle(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2
}
