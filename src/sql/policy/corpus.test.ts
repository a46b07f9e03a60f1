import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { createLog } from '#kernel/log'
import { corpus, createCorpusDatabase, type CorpusDatabase } from '#test/sql-corpus'
import { readServerState, sessionStateQuery } from '#test/sql-state'
import { createClassifier } from '../classify/create-classifier.ts'
import { decide } from './decide.ts'
import { readFacts } from './facts.ts'
import type { Decision, Policy } from './policy.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
let database: CorpusDatabase

before(async () => {
  database = await createCorpusDatabase()
})
after(async () => {
  await classifier.close()
  await database.close()
})

function readOnly(name: string): Policy {
  return {
    allowed_databases: [name],
    allowed_operations: ['SELECT', 'EXPLAIN', 'SHOW'],
    requires_approval: [],
    environment: 'dev',
  }
}

/** Null for what does not parse. */
async function decideAbout(sql: string): Promise<Decision | null> {
  const statements = await classifier.classify(sql, 'execute').catch(() => null)
  if (statements === null) return null
  const facts = await readFacts(
    async (text, values) => (await database.agent.query(text, values)).rows,
    statements,
  )
  return decide({
    database: database.name,
    statements,
    policy: readOnly(database.name),
    kind: 'execute',
    ...facts,
  })
}

test('a read-only policy lets no harmful statement of the corpus through, and no harmless one is refused', async () => {
  for (const { id, sql, readOnlyPolicy } of corpus) {
    const decision = await decideAbout(sql)
    const outcome = decision?.decision === 'execute' ? 'allow' : 'deny'
    assert.equal(outcome, readOnlyPolicy, `${id}: ${sql} ${JSON.stringify(decision)}`)
  }
})

/** As the proxy does: extended protocol, read-only transaction, committed. */
async function run(client: pg.Client, sql: string): Promise<void> {
  await client.query('begin read only')
  await client.query({ text: sql, queryMode: 'extended' } as pg.QueryConfig).catch(() => undefined)
  await client.query('commit')
}

test('statements of the corpus that a read-only policy allows leave no trace in server and session', async () => {
  const { administrator, agent } = database
  const untouched = [await readServerState(administrator), (await agent.query(sessionStateQuery)).rows]
  let count = 0
  for (const { sql } of corpus) {
    const decision = await decideAbout(sql)
    if (decision?.decision !== 'execute') continue
    await run(agent, sql)
    count += 1
  }
  assert.equal(count, 15)
  assert.deepEqual(
    [await readServerState(administrator), (await agent.query(sessionStateQuery)).rows],
    untouched,
  )
})
