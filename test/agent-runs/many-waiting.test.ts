/** Many runs that wait for people, with long conversations. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { newId } from '#kernel/uuid'
import { createTestDatabase } from '../harness/database.ts'
import { startProduct } from '../harness/product.ts'
import { startDatabaseProxy } from '../harness/tcp-proxy.ts'
import { waitFor } from '../harness/wait.ts'

const target = await createTestDatabase()
const proxy = await startDatabaseProxy()
const product = await startProduct({}, { ...target, address: proxy.address })
const { pool, close } = openDatabase(target, await createLog({ level: 'silent', form: 'json' }))
after(close)
const groupId = (await product.call('/api/v1/groups')).json.data[0].id as string

const approval = randomUUID()
await pool.query(
  `insert into sql.approvals (id, group_id, kind, database, sql, is_complete, bound_hash, agent_id, policy_version,
     operations, rule, reason, preview, status, requester, expires_at)
   values ($1, $2, 'execute', 'main', 'select 1', true, '', 'engineer', 1, '{}', '', '', '{}', 'pending', 'Ada',
     now() + interval '1 day')`,
  [approval, groupId],
)

/** Runs that wait for the approval, the oldest first. */
async function addWaiting(count: number, approvalId: string, memoryBytes: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await pool.query(
    `insert into agents.runs (id, group_id, agent_id, agent_version, request, status, waiting_for, limits, memory,
       started_by_name, scopes)
     select id, $2, 'engineer', 1, 'Tidy up.', 'waiting',
       jsonb_build_object('kind', 'approval', 'approval_id', $3::text, 'wait_id', gen_random_uuid(),
         'tool_call_id', 'call_1', 'link', '/', 'sql', 'select 1', 'database', 'main', 'expires_at', now()),
       '{"max_steps": 1, "max_seconds": 1, "max_tokens": 1, "max_cost": 1}',
       jsonb_build_object('messages', '[]'::jsonb, 'text', repeat('x', $4)), 'Ada', '{}'
     from unnest($1::uuid[]) id`,
    [ids, groupId, approvalId, memoryBytes],
  )
  return ids
}

/** A run goes on whose approval is gone: those that wait have been looked at. */
async function resumed(): Promise<void> {
  const [id] = await addWaiting(1, randomUUID(), 10)
  const status = async (): Promise<string> => (await product.call(`/api/agent-runs/${id}`)).json.status
  await waitFor('the run', async () => (await status()) !== 'waiting')
}

test('neither a list of runs nor looking after those that wait reads their conversations', async () => {
  await addWaiting(20, approval, 1_000_000)
  const before = proxy.received()
  const { status, json, text } = await product.call('/api/agent-runs?status=waiting&limit=200')
  assert.equal(status, 200, text)
  assert.equal(json.data.length, 20)
  await resumed()
  assert.ok(proxy.received() - before < 1_000_000, `${proxy.received() - before} bytes were read`)
})

test('a run goes on when its approval is decided, also where hundreds wait longer', async () => {
  await addWaiting(1_000, approval, 10)
  await pool.query("update agents.runs set created_at = now() - interval '1 day'")
  await resumed()
})
