import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { deleteBefore } from '../../src/usage/log/retention.ts'
import { writeToPage } from '../performance-page.ts'
import { describeWorld, fillLog, findWorld, sumUp, type World } from './fill.ts'
import { ask, measureExport, type MeasuredQuestion } from './measure.ts'
import { startProduct, type Product } from './product.ts'
import { questions } from './questions.ts'
import { judge, toMarkdown, type Forgotten, type Sizes } from './report.ts'

const usage = `npm run bench:usage-scale -- [options]
  --rows N        rows in the log (default 10,000,000: takes about 6 GB and a quarter of an hour)
  --keep FOLDER   leave the filled database there, and use it again when it is there already
  --only TEXT     only the routes and filters that have this in their name
  --strict        fail when a promise is not kept
  --write         put the tables into docs/performance.md`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
    strict: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else await bench(Math.max(1_000, Number(values.rows) || 10_000_000))

async function bench(rows: number): Promise<void> {
  await using running = new AsyncDisposableStack()
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'signalbox-usage-scale-'))
  if (values.keep === undefined) running.defer(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  const product = await startProduct(folder)
  running.defer(product.stop)
  const { pool } = product.database
  const world = await prepare(product, folder, rows)

  const sizes = await measureSizes(pool)
  const measured: MeasuredQuestion[] = []
  for (const question of await questions(pool, world)) {
    if (!question.name.includes(values.only)) continue
    measured.push(await ask(product, question))
  }
  // The first one lets the heap grow to what exports of any length need; the second shows that it stays there.
  const first = await measureExport(product, 100_000)
  const exported = await measureExport(product, 1_000_000)
  const results = {
    sizes,
    measured,
    first,
    exported,
    forgotten: await forgetMillion(pool, world, sizes.rows),
  }
  const tables = toMarkdown(results)
  console.log(tables)
  if (values.write) writeToPage('usage-scale', tables)
  if (values.strict && judge(results).some(({ isMet }) => !isMet)) process.exitCode = 1
}

async function prepare(product: Product, folder: string, rows: number): Promise<World> {
  const { pool } = product.database
  const mark = join(folder, 'filled')
  if (existsSync(mark)) return findWorld(pool)
  await describeWorld(pool, await makeGroups(product))
  const world = await findWorld(pool)
  await fillLog(pool, world, rows, (done) => console.error(`${done.toLocaleString('en')} rows`))
  await sumUp(pool)
  writeFileSync(mark, '')
  return world
}

/** The group of the first start and four more. */
async function makeGroups({ url, owner }: Product): Promise<string[]> {
  const listed = await fetch(`${url}/api/v1/groups`, { headers: owner })
  const first = (await listed.json()) as { data: { id: string }[] }
  const ids = first.data.map(({ id }) => id)
  for (const name of ['Second', 'Third', 'Fourth', 'Small']) {
    const response = await fetch(`${url}/api/v1/groups`, {
      method: 'POST',
      headers: { ...owner, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    ids.push(((await response.json()) as { id: string }).id)
  }
  return ids
}

async function measureSizes(pool: pg.Pool): Promise<Sizes> {
  const { rows } = await pool.query<Record<keyof Sizes, string>>(
    `with parts as (select inhrelid as part from pg_inherits where inhparent = 'usage.usage_logs'::regclass),
       counted as (select sum(requests) as n from usage.monthly)
     select n as rows, (select sum(pg_table_size(part)) from parts) / n as table,
       (select sum(pg_indexes_size(part)) from parts) / n as indexes,
       (select sum(pg_total_relation_size(sums)) from unnest(
         array['usage.hourly', 'usage.daily', 'usage.daily_parts', 'usage.monthly']::regclass[]) as sums) / n as sums
     from counted`,
  )
  const [found] = rows
  return {
    rows: Number(found?.rows),
    table: Number(found?.table),
    indexes: Number(found?.indexes),
    sums: Number(found?.sums),
  }
}

/** Retention as it runs every hour, with a limit behind about a million of the oldest rows. It deletes them. */
async function forgetMillion(pool: pg.Pool, world: World, rows: number): Promise<Forgotten> {
  const { rows: found } = await pool.query<{ day: Date; deleted: string }>(
    `select (day + 1) at time zone 'UTC' as day, deleted from (
       select day, sum(sum(requests)) over (order by day) as deleted from usage.daily group by day
     ) as days where deleted >= least(1000000, $1 / 2) order by day limit 1`,
    [rows],
  )
  const limit = found[0]?.day ?? world.from
  const started = performance.now()
  await deleteBefore(pool, limit)
  return { rows: Number(found[0]?.deleted ?? 0), seconds: (performance.now() - started) / 1_000 }
}
