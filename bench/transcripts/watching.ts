import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { processorMicroseconds, stop } from '../gateway/processes.ts'
import { append, turnLines, writeProgressFile } from './corpus.ts'
import { rowsOf, type Archive } from './rows.ts'
import { startWatch } from './watch-process.ts'

/** Imports one large file with `signalbox watch --once` and reads the peak of its resident memory. */
export async function measureMemory(archive: Archive, home: string, megabytes: number) {
  const { messages } = writeProgressFile(home, megabytes * 1_048_576)
  const started = Date.now()
  const child = startWatch(archive, home, ['--once'])
  child.stdout?.resume()
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, peakOf(child.pid ?? 0))), 50)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(timer)
  if (code !== 0) throw new Error(`signalbox watch --once ended with ${code}`)
  const seconds = Math.round((Date.now() - started) / 100) / 10
  const rows = await rowsOf(archive)
  const stored = rows.reduce((sum, row) => sum + (row['messages'] as unknown[]).length, 0)
  return { peakMegabytes: Math.round(peak), seconds, messages, stored }
}

function peakOf(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

/** From the append to the first search that finds it, with `signalbox watch` running. */
export async function measureAppend(archive: Archive, home: string, appends = 20) {
  const session = '0190b3a2-8888-4222-8333-444455556666'
  const path = `.claude/projects/-home-dev-shop/${session}.jsonl`
  const times: number[] = []
  append(home, path, `${turnLines(0, session).join('\n')}\n`)
  const child = startWatch(archive, home)
  try {
    if (child.stdout) await once(child.stdout, 'data')
    for (let index = 0; index < appends; index++) {
      const word = `needle${index}`
      const started = Date.now()
      append(home, path, `${marked(turnLines(index + 1, session), word)}\n`)
      while (!(await isFound(archive, word)) && Date.now() - started < 10_000) await wait(10)
      times.push(Date.now() - started)
    }
  } finally {
    await stop(child)
  }
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(times.length / 2)] ?? 0, slowest: times.at(-1) ?? 0 }
}

function marked(lines: string[], word: string): string {
  return lines.join('\n').replace('"content":"', `"content":"${word} `)
}

async function isFound({ url, key }: Archive, word: string): Promise<boolean> {
  const response = await fetch(`${url}/api/transcripts/search?q=${word}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await response.json()) as { data: unknown[] }).data.length > 0
}

/** Processor time of `signalbox watch` while nothing happens. */
export async function measureIdle(archive: Archive, home: string, seconds = 20) {
  const child = startWatch(archive, home)
  try {
    if (child.stdout) await once(child.stdout, 'data')
    await wait(2_000)
    const before = processorMicroseconds(child.pid ?? 0) ?? 0
    await wait(seconds * 1_000)
    const after = processorMicroseconds(child.pid ?? 0) ?? 0
    return { seconds, processorMs: (after - before) / 1_000 }
  } finally {
    await stop(child)
  }
}
