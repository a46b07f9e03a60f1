import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { keyWith } from '#test/people'
import { startRuns } from '#test/runs'
import { waitFor } from '#test/wait'
import { createRunKeys } from '../../src/access/run-keys.ts'

const it = await startRuns()
await it.agent('plain')
beforeEach(() => it.fake.reset())
const database = openDatabase(it.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())

/** A key as a run has it, which otherwise only its process knows. */
async function keyOf(runId: string): Promise<string> {
  const { secret } = await createRunKeys(database.tables()).create({
    groupId: it.first.groupId,
    run: { id: runId, agentId: 'plain', mode: 'default', agentVersion: 1, request: 'Do it.' },
    userId: null,
    parentId: null,
    scopes: ['gateway', 'read', 'agents'],
    expiresAt: new Date(Date.now() + 60_000),
  })
  return secret.reveal()
}
const ask = (key: string) =>
  it.call('/api/agents/plain/ask', { key, json: { request: 'Go on.', async: true } })

test('a run cancels no run and answers none, not even itself', async () => {
  it.script({ toolCalls: [{ name: 'ask_person', arguments: { question: 'May I?' } }] })
  const run = await it.ask('plain')
  const key = await keyOf(run.run_id)
  const cancelled = await it.call(`/api/agent-runs/${run.run_id}/cancel`, { key, method: 'POST' })
  const answered = await it.call(`/api/agent-runs/${run.run_id}/answer`, { key, json: { text: 'Yes.' } })
  assert.deepEqual([cancelled.status, answered.status], [403, 403])
  assert.equal((await it.run(run.run_id)).status, 'waiting')
})

test('a run starts no stand-up, says nothing in one and ends none, but asks a model', async () => {
  it.script({ toolCalls: [{ name: 'ask_person', arguments: { question: 'May I?' } }] })
  const key = await keyOf((await it.ask('plain')).run_id)
  const { id } = (await it.call('/api/initiatives', { json: { title: 'Checkout in one step' } })).json
  const standup = `/api/initiatives/${id}/standup`
  const calls = [
    it.call(standup, { key, json: {} }),
    it.call(`${standup}/message`, { key, json: { text: 'Hello.' } }),
    it.call(`${standup}/end`, { key, json: {} }),
    it.call('/api/v1/gateway/playground', { key, json: { model: 'gpt-6-sol', messages: [] } }),
  ]
  for (const { status, json } of await Promise.all(calls))
    assert.deepEqual(
      [status, json.error.message],
      [403, 'This key belongs to the run of an agent, which may only ask models and use its tools.'],
    )
  it.script({ text: 'Yes.' })
  const question = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Are you there?' }] }
  assert.equal((await it.call('/v1/chat/completions', { key, json: question })).status, 200)
})

test('a run pays for what its key asks, whatever session is named, and for nothing else', async () => {
  it.script({ toolCalls: [{ name: 'ask_person', arguments: { question: 'May I?' } }] })
  const { run_id: id, usage: before } = await it.ask('plain')
  const [own] = await it.admin(`select key_id from agents.run_keys where run_id = '${id}'`, 'status')
  const key = await keyOf(id)
  await it.admin(
    `insert into agents.run_keys (run_id, key_id) select '${id}', id from access.api_keys
     where run_id = '${id}' and id <> '${own?.['key_id']}'`,
    'status',
  )
  const say = (by: string, session: string, usage: object) => {
    it.script({ text: 'Yes.', usage })
    const json = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Are you there?' }] }
    return it.call('/v1/chat/completions', { key: by, json, headers: { 'x-signalbox-session': session } })
  }
  const used = (input: number) => ({ input, output: 1, reasoning: 0 })
  await say(key, 'elsewhere', used(1_000))
  await say(it.key, id, used(50_000))
  it.script({ text: 'Done.', usage: used(100) })
  await it.call(`/api/agent-runs/${id}/answer`, { json: { text: 'Yes.' } })
  const { usage } = await it.until(id, 'completed')
  assert.equal(usage.total_tokens - before.total_tokens, 1_001 + 101)
})

test('a run that has ended asks for nothing more', async () => {
  it.script({ text: 'Done.' })
  const { run_id: id } = await it.ask('plain')
  const late = await ask(await keyOf(id))
  assert.deepEqual([late.status, late.json.error.message], [409, 'The run that asks has ended.'])
})

test('a run has no scope that its caller does not have', async () => {
  const asker = await keyWith(it, ['agents', 'events'])
  it.script({ hang: 'before-headers' })
  const before = it.fake.requests.length
  const { run_id: id } = await it.ask('plain', { async: true }, asker)
  await waitFor('the model to be asked', () => it.fake.requests.length > before)
  const [key] = await it.admin(`select scopes from access.api_keys where run_id = '${id}'`, 'status')
  assert.deepEqual(key?.['scopes'], ['gateway', 'agents'])
  await it.call(`/api/agent-runs/${id}/cancel`, { method: 'POST' })
})

test('a group has 100 runs in progress at most', async () => {
  await it.admin(
    `insert into agents.runs (id, group_id, agent_id, agent_version, request, status, limits, started_by_name,
       scopes, process_id, lease_until)
     select gen_random_uuid(), '${it.first.groupId}', 'plain', 1, 'one of many', 'running', '{}', 'test', '{}',
       gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 100)`,
    'status',
  )
  const refused = await it.call('/api/agents/plain/ask', { json: { request: 'One more.', async: true } })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10'])
  await it.admin(`delete from agents.runs where request = 'one of many'`, 'status')
  it.script({ text: 'Now.' })
  assert.equal((await it.ask('plain')).response, 'Now.')
})
