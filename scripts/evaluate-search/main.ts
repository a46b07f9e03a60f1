import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate, openDatabase, startEmbedded } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createSearch } from '#search'
import { createEmbedder } from '../../src/embeddings/create-embedder.ts'
import { createBuiltin } from '../../src/embeddings/drivers/builtin.ts'
import { makeQueries, things, type Query } from './corpus.ts'

const usage = `npm run eval:search -- [--misses]
  --misses   also prints the queries whose thing is not in the first three, and what came first`

const promised = 0.9
const { values } = parseArgs({
  options: { misses: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})

interface Placed extends Query {
  /** From 1; infinite when it was not found. */
  place: number
  first: string
}

/** The search of the product over the corpus, with the built-in model. */
async function evaluate(): Promise<Placed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-evaluate-search-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const log = await createLog({ level: 'warn', form: 'json', destination: process.stderr })
  const server = await startEmbedded({ dataDir: folder, log })
  running.defer(() => server.stop())
  const target = { kind: 'embedded', address: server.address, database: 'status' } as const
  await migrate(target)
  const database = openDatabase(target, log)
  running.defer(() => database.close())
  const driver = createBuiltin()
  running.defer(() => driver.close())
  const model = { model: 'builtin', fingerprint: 'builtin', isPrefixed: false, cacheBytes: 0 }
  const { embedder } = createEmbedder({ driver, ...model })
  const search = createSearch({ database, embedder, log, pace: { restMs: 0 } })
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into access.groups (name) values ('Evaluation') returning id`,
  )
  const groupId = rows[0]?.id ?? ''
  const newest = Date.parse('2026-11-01T12:00:00Z')
  for (const [index, { kind, title, text }] of things.entries()) {
    const at = new Date(newest - ((index * 37) % 400) * 86_400_000)
    await search.index(kind, [{ groupId, id: `thing ${index}`, title, text, url: '/', at }])
  }
  await search.start()
  running.defer(() => search.stop())
  const waits = async () =>
    (
      await database.pool.query(
        'select from search.chunks where id > (select coalesce(max(embedded_through), 0) from search.models)',
      )
    ).rowCount
  while (await waits()) await sleep(100)

  const placed: Placed[] = []
  for (const query of makeQueries()) {
    const { results } = await search.search({ groupId, text: query.text, kinds: null, limit: 20 })
    const index = results.findIndex(({ id }) => id === `thing ${query.wanted}`)
    placed.push({ ...query, place: index < 0 ? Infinity : index + 1, first: results[0]?.title ?? '–' })
  }
  return placed
}

function report(placed: readonly Placed[]): void {
  const share = (of: readonly Placed[], most: number): string =>
    `${((of.filter(({ place }) => place <= most).length / of.length) * 100).toFixed(1)} %`
  const row = (name: string, of: readonly Placed[]): string =>
    `| ${name} | ${of.length} | ${share(of, 1)} | ${share(of, 3)} | ${share(of, 10)} |`
  console.log(`${placed.length} queries over ${things.length} things\n`)
  console.log('| Query | Number | First | In the first three | In the first ten |\n|---|---|---|---|---|')
  for (const [way, of] of Map.groupBy(placed, ({ way }) => way)) console.log(row(way, of))
  console.log(row('**all**', placed))
}

if (values.help) console.log(usage)
else {
  const placed = await evaluate()
  report(placed)
  const misses = placed.filter(({ place }) => place > 3)
  if (values.misses)
    for (const { way, text, place, first, wanted } of misses)
      console.log(`${place}\t${way}\t${text}\twanted: ${things[wanted]?.title}\tfirst: ${first}`)
  if (misses.length > (1 - promised) * placed.length) process.exitCode = 1
}
