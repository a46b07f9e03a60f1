import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSql } from '../testing-sql.ts'
import { makeShop, setValues } from './testing-interference.ts'
import { everything, setPolicy } from './testing-rules.ts'
import { statements, writes } from './testing-statements.ts'

const it = await startSql()
await makeShop(it)
await setPolicy(it, {
  ...everything,
  allowed_functions: [...everything.allowed_functions, 'deep', 'guess'],
  masked_columns: ['people.email', 'people.age', 'parts.email', 'owners.mail', 'ranges.span'],
})

/** What a caller sees of a call, without what differs with every call. */
async function seen(sql: string): Promise<string> {
  const isWrite = writes.includes(sql)
  const { status, text } = await it.execute(sql, isWrite ? { dry_run: true } : {})
  const { json: logs } = await it.call('/api/v1/sql/logs?limit=1')
  const [{ status: outcome, sql: logged, error, rows_affected: rows, masked }] = logs.data
  assert.ok(logged === sql || logged.includes('…') || isWrite, logged)
  const shown = JSON.stringify({ status, text, outcome, error, rows, masked })
  return shown
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/(duration_ms|other_sessions)\\":[\d.]+/g, '$1')
    .replaceAll(/(cost|[Tt]ime)[^,"]*\d/g, '$1')
}

/** Nothing that a caller gets may depend on what a masked column has: the same statements, with other values in them. */
test('no response and no entry of the audit log depends on the values of masked columns', async (t) => {
  const before = new Map<string, string>()
  for (const sql of statements) before.set(sql, await seen(sql))
  await setValues(it, 'second')
  for (const sql of statements)
    await t.test(sql.slice(0, 300), async () => {
      const after = await seen(sql)
      assert.equal(after, before.get(sql))
      // What is not in the statement itself, and is new, cannot be the caller's.
      if (!/@|4711/.test(sql)) assert.doesNotMatch(after, /ann@|zoe@|4711|8150/)
    })
})
