import { readdirSync, readFileSync } from 'node:fs'
import { residentMegabytes } from '../gateway/processes.ts'
import type { Product } from './product.ts'
import type { Question } from './questions.ts'

export interface MeasuredQuestion extends Question {
  p50: number
  p95: number
  /** Processor time of the product and its database for one response, in milliseconds. */
  processor: number
}

const warmUps = 3
const rounds = 20

/** One request at a time, warm, the whole response read. */
export async function ask({ url, pid, owner }: Product, question: Question): Promise<MeasuredQuestion> {
  const times: number[] = []
  let before = 0
  for (let round = -warmUps; round < rounds; round++) {
    if (round === 0) before = processorMs(pid)
    const started = performance.now()
    const response = await fetch(url + question.path, {
      headers: { ...owner, ...(question.group && { 'x-group-id': question.group }) },
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${question.path}: ${response.status} ${text.slice(0, 200)}`)
    if (round >= 0) times.push(performance.now() - started)
  }
  const processor = (processorMs(pid) - before) / rounds
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(rounds - 1, Math.floor(part * rounds))] ?? NaN
  return { ...question, p50: at(0.5), p95: at(0.95), processor }
}

/** User and system time so far of a process and all that it started, those that ended too. */
function processorMs(pid: number): number {
  if (process.platform !== 'linux') return NaN
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []))
  const family = new Set([pid])
  let size = 0
  while (size < family.size) {
    size = family.size
    for (const stat of stats) if (family.has(stat.parent)) family.add(stat.pid)
  }
  return stats.filter((stat) => family.has(stat.pid)).reduce((sum, stat) => sum + stat.ticks * 10, 0)
}

function readStat(name: string): { pid: number; parent: number; ticks: number }[] {
  try {
    const line = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15)
    const ticks = user + system + userOfEnded + systemOfEnded
    return [{ pid: Number(name), parent: fields[1] ?? 0, ticks }]
  } catch {
    // It ended while we looked.
    return []
  }
}

export interface Exported {
  rows: number
  megabytes: number
  seconds: number
  /** The highest resident memory of the product while it wrote, over what it had before, in megabytes. */
  grownBy: number
}

/** Reads an export up to a number of rows, and watches the product's memory meanwhile. */
export async function measureExport({ url, pid, owner }: Product, rows: number): Promise<Exported> {
  const before = residentMegabytes(pid) ?? NaN
  let highest = before
  const watch = setInterval(() => (highest = Math.max(highest, residentMegabytes(pid) ?? NaN)), 50)
  const started = performance.now()
  const stop = new AbortController()
  let [bytes, lines] = [0, 0]
  try {
    const response = await fetch(`${url}/api/v1/logs/export`, { headers: owner, signal: stop.signal })
    if (response.status !== 200 || !response.body) throw new Error(`the export returned ${response.status}`)
    for await (const piece of response.body as AsyncIterable<Uint8Array>) {
      bytes += piece.byteLength
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
      if (lines > rows) break
    }
  } finally {
    clearInterval(watch)
    stop.abort()
  }
  const seconds = (performance.now() - started) / 1_000
  return { rows: lines - 1, megabytes: bytes / 1e6, seconds, grownBy: highest - before }
}
