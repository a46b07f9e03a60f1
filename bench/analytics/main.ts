import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { storeDays } from '../../src/analytics/days/store-days.ts'
import { markdownTable, writeToPage } from '../performance-page.ts'
import { ask } from '../usage-scale/measure.ts'
import { startProduct, type Product } from '../usage-scale/product.ts'
import { fillRecords } from './fill.ts'

const usage = `npm run bench:analytics -- [options]
  --rows N     rows in each table of a year (default 300000)
  --only TEXT  only the reports that have this in their name
  --strict     fail when a promise is not kept
  --write      put the table into docs/performance.md`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    only: { type: 'string', default: '' },
    strict: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const promisedMs = 150
const reports = ['summary', 'deployments', 'tickets/flow', 'velocity', 'health', 'devlogs']
const periods = { '7 days': 'days=7', '30 days': 'days=30', '366 days': 'days=366' }

async function bench(rows: number): Promise<void> {
  await using running = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-analytics-'))
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const product = await startProduct(folder)
  running.defer(product.stop)
  const started = performance.now()
  await fillRecords(product.database.pool, await groupOf(product), rows)
  const filled = performance.now()
  // What the server's job does every five minutes.
  const days = await storeDays(product.database.pool)
  await product.database.pool.query('vacuum analyze analytics.day_columns, analytics.changed_days')
  const seconds = (from: number, to: number): number => Math.round((to - from) / 1_000)
  console.error(
    `filled in ${seconds(started, filled)} s, ${days} days packed in ${seconds(filled, performance.now())} s`,
  )

  const lines: string[][] = []
  for (const report of reports)
    for (const [name, period] of Object.entries(periods)) {
      if (!`${report} ${name}`.includes(values.only)) continue
      const path = `/api/analytics/${report}?${period}&tz=Europe/Berlin`
      const { p50, p95, processor } = await ask(product, { name, path, ceiling: promisedMs })
      const isKept = p95 <= promisedMs
      lines.push([report, name, whole(p50), whole(p95), whole(processor), isKept ? 'met' : 'missed'])
      console.error(lines.at(-1)?.join('  '))
    }
  const head = ['report', 'period', 'p50, ms', 'p95, ms', 'processor time, ms', `≤ ${promisedMs} ms`]
  const table = markdownTable(head, lines)
  console.log(table)
  if (values.write) writeToPage('analytics', table)
  if (values.strict && lines.some((line) => line.includes('missed'))) process.exitCode = 1
}

async function groupOf({ url, owner }: Product): Promise<string> {
  const response = await fetch(`${url}/api/v1/me`, { headers: owner })
  return ((await response.json()) as { group_id: string }).group_id
}

const whole = (ms: number): string => String(Math.round(ms))

if (values.help) console.log(usage)
else await bench(Math.max(1_000, Math.trunc(Number(values.rows)) || 300_000))
