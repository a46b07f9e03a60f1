import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable, writeToPage } from '../performance-page.ts'
import { ask } from '../usage-scale/measure.ts'
import { startProduct, type Product } from '../usage-scale/product.ts'
import { fillRecords } from './fill.ts'

const usage = `npm run bench:analytics -- [options]
  --rows N     rows in each table of a year (default 30000; 300000 may take 3 s)
  --only TEXT  only the reports that have this in their name
  --strict     fail when a promise is not kept
  --write      put the table into docs/performance.md`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '30000' },
    only: { type: 'string', default: '' },
    strict: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** What people feel, at p95 on a quiet machine. With more rows than these a report may take longer. */
const usualRows = 30_000
const promisedOfMany = 3_000
const reports = ['summary', 'deployments', 'tickets/flow', 'velocity', 'health', 'devlogs']
const periods = [
  { name: '7 days', days: 7, promisedMs: 100 },
  { name: '30 days', days: 30, promisedMs: 100 },
  { name: '366 days', days: 366, promisedMs: 500 },
]

async function bench(rows: number): Promise<void> {
  await using running = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-analytics-'))
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const product = await startProduct(folder)
  running.defer(product.stop)
  const started = performance.now()
  await fillRecords(product.database.pool, await groupOf(product), rows)
  console.error(`filled in ${Math.round((performance.now() - started) / 1_000)} s`)

  const lines: string[][] = []
  for (const report of reports)
    for (const { name, days, promisedMs } of periods) {
      if (!`${report} ${name}`.includes(values.only)) continue
      const path = `/api/analytics/${report}?days=${days}&tz=Europe/Berlin`
      const ceiling = rows > usualRows ? promisedOfMany : promisedMs
      const { p50, p95, processor } = await ask(product, { name, path, ceiling })
      const kept = p95 <= ceiling ? 'met' : 'missed'
      lines.push([report, name, whole(p50), whole(p95), whole(processor), `≤ ${ceiling}`, kept])
      console.error(lines.at(-1)?.join('  '))
    }
  const head = ['report', 'period', 'p50, ms', 'p95, ms', 'processor time, ms', 'limit, ms', '']
  const table = markdownTable(head, lines)
  console.log(`${table}\nLoad of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`)
  if (values.write) writeToPage('analytics', table)
  if (values.strict && lines.some((line) => line.includes('missed'))) process.exitCode = 1
}

async function groupOf({ url, owner }: Product): Promise<string> {
  const response = await fetch(`${url}/api/v1/me`, { headers: owner })
  return ((await response.json()) as { group_id: string }).group_id
}

const whole = (ms: number): string => String(Math.round(ms))

if (values.help) console.log(usage)
else await bench(Math.max(1_000, Math.trunc(Number(values.rows)) || usualRows))
