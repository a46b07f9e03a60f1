import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable, writeToPage } from '../performance-page.ts'
import { startProduct } from '../usage-scale/product.ts'
import { ingest, insertBare, type Ingested } from './ingest.ts'
import { ingestByGroup, type Laned } from './lanes.ts'
import { stream } from './readers.ts'
import { timeReads } from './searches.ts'

const usage = `npm run bench:console -- [options]
  --events N    events in the console (default 1000000)
  --readers N   open streams (default 500)
  --strict      fail when a promise is not kept
  --write       put the table into docs/performance.md`

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    readers: { type: 'string', default: '500' },
    strict: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const promised = { ingestPerSecond: 10_000, searchMs: 50 }

async function bench(events: number, readers: number): Promise<void> {
  await using running = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-console-'))
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  // All of them are one person's, who may have a hundred.
  const product = await startProduct(folder, { MAX_STREAMS_PER_PERSON: String(readers) })
  running.defer(product.stop)

  const bare = await insertBare(product, Math.min(events, 100_000))
  const ingested = await ingest(product, events, (done) =>
    console.error(`${done.toLocaleString('en')} events`),
  )
  // What autovacuum does within a minute: without statistics the planner guesses.
  await product.database.pool.query('analyze console.events')
  const streamed = await stream(product, readers, 10)
  const timed = await timeReads(product, 210)
  const laned: Laned[] = []
  for (const writers of [1, 2, 4]) laned.push(await ingestByGroup(product, writers, 10))
  const rows = [
    ['ingest, bare table', rate(bare), '', ''],
    [
      'ingest',
      rate(ingested),
      `≥ ${promised.ingestPerSecond}`,
      met(ingested.perSecond >= promised.ingestPerSecond),
    ],
    ...timed.map(({ name, p50, p95 }) =>
      name === 'search'
        ? [name, `p50 ${p50} ms, p95 ${p95} ms`, `≤ ${promised.searchMs} ms`, met(p95 <= promised.searchMs)]
        : [name, `p50 ${p50} ms, p95 ${p95} ms`, '', ''],
    ),
    [
      `${streamed.readers} streams, ${streamed.sent} events`,
      `${streamed.delivered} delivered, p50 ${streamed.p50} ms, p95 ${streamed.p95} ms`,
      `${streamed.sent * streamed.readers}`,
      met(streamed.delivered === streamed.sent * streamed.readers),
    ],
    ...laned.map((each) => [
      `ingest, ${each.writers} ${each.writers === 1 ? 'group' : 'groups'} at once`,
      `${rate(each)}; the fastest group ${each.spread} times the slowest`,
      '',
      '',
    ]),
  ]
  const table = markdownTable(
    [`${ingested.events.toLocaleString('en')} events`, 'measured', 'promised', ''],
    rows,
  )
  console.log(table)
  if (values.write) writeToPage('console', table)
  if (values.strict && rows.some((row) => row[3] === 'missed')) process.exitCode = 1
}

const rate = ({ perSecond, inDatabase, inServer }: Omit<Ingested, 'events'>): string =>
  `${perSecond} events/s; ${inDatabase} µs of processor time per event in the database, ${inServer} in the server`
const met = (isMet: boolean): string => (isMet ? 'met' : 'missed')
const whole = (text: string, usual: number): number => Math.max(1, Math.trunc(Number(text)) || usual)

if (values.help) console.log(usage)
else await bench(whole(values.events, 1_000_000), whole(values.readers, 500))
