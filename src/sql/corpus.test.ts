import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { administer } from '#test/database'
import { corpus, corpusScript, type CorpusStatement } from '#test/sql-corpus'
import { readServerState, sessionStateQuery } from '#test/sql-state'
import { startSql } from './testing-sql.ts'

const suffix = randomUUID().replaceAll('-', '')
const roles = { reader: `reader_${suffix}`, writer: `writer_${suffix}`, owner: `owner_${suffix}` }
let administrator: pg.Client
after(() => administrator.end())
const product = await startSql()
after(() => administer(`drop role ${Object.values(roles).join(', ')}`))

before(async () => {
  const policy = {
    allowed_databases: ['application'],
    allowed_operations: ['SELECT', 'EXPLAIN', 'SHOW'],
    requires_approval: [],
    environment: 'dev',
  }
  const agent = { id: 'reader', name: 'Reader', model: 'none', config: { policy } }
  assert.equal((await product.call('/api/agents', { json: agent })).status, 201)
  // The database is made when it is first asked for.
  assert.equal((await run('SELECT 1')).status, 200)
  if (product.target.kind !== 'embedded') throw new Error('Tests run on the embedded server')
  const { address, database } = product.target
  administrator = new pg.Client({ ...address, database: `${database}_application` })
  await administrator.connect()
  await administrator.query(corpusScript(roles))
  await administrator.query('grant select on all tables in schema public to public')
})

const run = (sql: string) => product.execute(sql, { agent_id: 'reader' })

const sorted = (names: string[]): string[] => [...new Set(names)].toSorted()

async function explain({ id, sql, operations, functions, readOnlyPolicy }: CorpusStatement): Promise<void> {
  const { status, json, text } = await product.call('/api/v1/sql/explain-policy', {
    json: { database: 'application', sql, agent_id: 'reader' },
  })
  // A character NUL is refused before anything is asked.
  if (status === 400 && sql.includes('\0')) return
  assert.equal(status, 200, `${id}: ${text}`)
  assert.deepEqual(sorted(json.operations), sorted(operations ?? []), `${id}: ${text}`)
  assert.deepEqual(
    functions.filter((name) => !json.functions.includes(name)),
    [],
    `${id}: ${text}`,
  )
  assert.equal(json.decision, readOnlyPolicy === 'allow' ? 'execute' : 'refuse', `${id}: ${text}`)
}

test('every statement of the corpus is named and decided right', async () => {
  assert.equal(corpus.length, 174)
  for (const statement of corpus) await explain(statement)
})

test('the corpus leaves no trace: rows, catalogs, roles, settings, files and session are as before', async () => {
  const readState = async (): Promise<unknown> => [
    await readServerState(administrator),
    (await run(sessionStateQuery)).json.rows,
  ]
  const untouched = await readState()
  const outcomes = { allow: 0, deny: 0 }
  for (const { id, sql, readOnlyPolicy } of corpus) {
    const { status, json, text } = await run(sql)
    assert.ok(status < 500, `${id}: ${text}`)
    const isRefused = status === 403 || (status === 400 && json.error.sqlstate !== '42501')
    assert.equal(isRefused, readOnlyPolicy === 'deny', `${id}: ${text}`)
    outcomes[readOnlyPolicy] += 1
  }
  assert.deepEqual(outcomes, { allow: 15, deny: 159 })
  assert.deepEqual(await readState(), untouched)
})
