import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parts } from './parts.ts'
import { declarationAt, placesIn } from './places.ts'
import { readSnapshot, recordPart, snapshotFile, unsampled, writeSnapshot } from './snapshot.ts'

const recorded = new Map(
  await Promise.all(
    Object.entries(parts).map(async ([part, sample]) => [part, await recordPart(part, sample)] as const),
  ),
)
const all = [...recorded.values()].flat()

for (const [part, queries] of recorded)
  test(`${snapshotFile(part)} is the SQL that ${part} sends; "npm run sql" writes it again`, () => {
    assert.equal(writeSnapshot(queries), readSnapshot(part))
  })

test('a sample in test/sql/samples reaches every line that sends SQL', () => {
  const missing = unsampled(all)
  const advice = 'Call these queries in test/sql/samples/<part>.ts, then run "npm run sql".'
  assert.deepEqual(missing, [], `${advice}\nFound: ${JSON.stringify(missing, null, 2)}`)
})

test('a line that no sample reaches is named', () => {
  const { file, line } = all.find((each) => each.file === 'src/access/api-key-store.ts') ?? {}
  const others = all.filter((each) => each.file !== file || each.line !== line)
  assert.ok(unsampled(others).some((place) => place.file === file && place.line === line))
})

test('lines that send SQL are told from those that only open a transaction', () => {
  const text = `
export async function rename(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable('a').execute()
  })
  await db.transaction().execute((transaction) => sql\`select 1\`.execute(transaction))
}

const read = async (pool: pg.Pool) =>
  pool.query<Row>('select 1')
`
  const sources = new Map([['src/sample/store.ts', text]])
  const places = placesIn(sources)
  assert.deepEqual(
    places.map((place) => [place.line, declarationAt(sources, place)]),
    [
      [4, 'rename'],
      [6, 'rename'],
      [10, 'read'],
    ],
  )
})
