import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { residentMegabytes } from '../gateway/processes.ts'
import { scenarios, type Scenario } from '../gateway/scenarios.ts'
import { startSignalbox, type Target } from '../gateway/targets.ts'
import { startUpstream } from '../gateway/upstream.ts'
import { markdownTable, writeToPage } from '../performance-page.ts'
import type { AttackJob, Outcomes } from './attack.ts'
import { attacks } from './bodies.ts'

const usage = `npm run bench:hostile -- [options]
  --seconds N   how long each attack lasts (default 10)
  --only TEXT   only attacks whose name contains the text
  --write       put the table into docs/performance.md`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const connections = 24
/** 55 to 70 MB of them are the thread that embeds for the search: models of the keys that the bench adds are indexed. */
const limits = { addedMs: 250, megabytes: 700 }
const ordinary = scenarios[0] as Scenario

interface Row {
  name: string
  p50: number
  p99: number
  megabytes: number
  /** The longest time for which the server's event loop was held. */
  held: number
  outcomes: Outcomes
}

if (values.help) console.log(usage)
else await measureAll(Math.max(1, Number(values.seconds) || 10))

async function measureAll(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-hostile-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const upstream = await startUpstream(ordinary)
  running.defer(upstream.stop)
  const target = await startSignalbox(upstream, folder)
  running.defer(target.stop)

  await measure(target, 2)
  const rows: Row[] = [{ name: 'none', ...(await measure(target, seconds)), outcomes: {} }]
  for (const { name } of attacks.filter((each) => each.name.includes(values.only))) {
    const attack = await startAttack(target, name)
    const measured = await measure(target, seconds)
    rows.push({ name, ...measured, outcomes: await attack.stop() })
    console.error(`${name}: p99 ${measured.p99.toFixed(0)} ms, ${measured.megabytes.toFixed(0)} MB`)
  }
  const table = tableOf(rows)
  console.log(table)
  if (values.write) writeToPage('hostile', table)
  process.exitCode = isWithinLimits(rows) ? 0 : 1
}

/** Ordinary chat completions, one after the other, with the memory of the server beside them. */
async function measure(target: Target, seconds: number): Promise<Omit<Row, 'name' | 'outcomes'>> {
  const { origin, path, headers, body } = target.job(ordinary)
  const times: number[] = []
  await heldMs(target)
  let megabytes = 0
  const watch = setInterval(() => (megabytes = Math.max(megabytes, residentMegabytes(target.pid) ?? 0)), 50)
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    const began = performance.now()
    const response = await fetch(origin + path, { method: 'POST', headers, body })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`An ordinary request got ${response.status}`)
    times.push(performance.now() - began)
  }
  clearInterval(watch)
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? NaN
  return { p50: at(0.5), p99: at(0.99), megabytes, held: await heldMs(target) }
}

/** Since it was last asked for. */
async function heldMs(target: Target): Promise<number> {
  const { origin, headers } = target.job(ordinary)
  const text = await (await fetch(`${origin}/metrics`, { headers })).text()
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1])
}

async function startAttack(target: Target, name: string): Promise<{ stop(): Promise<Outcomes> }> {
  const { origin, headers } = target.job(ordinary)
  const job: AttackJob = { name, origin, connections, authorization: headers['authorization'] ?? '' }
  const worker = new Worker(new URL('./attack.ts', import.meta.url), { workerData: job })
  await once(worker, 'message')
  return {
    async stop() {
      const ended = once(worker, 'message')
      worker.postMessage('stop', [])
      const [outcomes] = (await ended) as [Outcomes]
      return outcomes
    },
  }
}

function tableOf(rows: readonly Row[]): string {
  const alone = rows[0]?.p99 ?? NaN
  const head = ['Attack', 'p50, ms', 'p99, ms', 'added to p99', 'loop held, ms', 'peak RSS, MB', 'responses']
  return markdownTable(
    head,
    rows.map(({ name, p50, p99, held, megabytes, outcomes }) => [
      name,
      p50.toFixed(1),
      p99.toFixed(1),
      name === 'none' ? '–' : (p99 - alone).toFixed(0),
      held.toFixed(0),
      megabytes.toFixed(0),
      Object.entries(outcomes)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ') || '–',
    ]),
  )
}

function isWithinLimits(rows: readonly Row[]): boolean {
  const alone = rows[0]?.p99 ?? NaN
  return rows.every(({ p99, megabytes }) => p99 - alone <= limits.addedMs && megabytes <= limits.megabytes)
}
