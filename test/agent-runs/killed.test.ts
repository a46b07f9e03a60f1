import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import { connectTo } from '#test/embedded-client'
import { exampleModels, keyOf } from '#test/gateway'
import { spawnProduct } from '#test/process'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { findMarked } from '../../src/agents/run/process-tree.ts'

const fake = await startFakeProvider()
after(() => fake.close())
const environment = {
  ...fake.baseUrls,
  DATA_DIR: temporaryFolder(),
  OPENAI_API_KEY: keyOf('openai'),
  RUNTIME: 'builtin',
  WORKERS: '2',
  AGENT_MAX_RUNS: '1',
}
const server = await spawnProduct(environment)
const database = await connectTo(environment, 'status')
after(() => database.end())
const things = { command: process.execPath, args: [join(import.meta.dirname, 'tool-server.js')] }
const created = await server.call('/api/agents', {
  json: { id: 'things', name: 'things', model: exampleModels.openai, config: { mcp_servers: { things } } },
})
assert.equal(created.status, 201, created.text)

const ask = async (): Promise<string> => {
  const { json } = await server.call('/api/agents/things/ask', { json: { request: 'Go.', async: true } })
  return json.run_id as string
}
/** From the table, because one of the processes that would answer is not there. */
const stateOf = async (id: string) => {
  const { rows } = await database.query(
    `select status, error ->> 'code' as code, response, tool_calls -> 0 ->> 'result' as result,
       (select count(*)::int from access.api_keys k where k.run_id = r.id and k.revoked_at is null) as keys
     from agents.runs r where id = $1`,
    [id],
  )
  return rows[0] as {
    status: string
    code: string | null
    response: string | null
    result: string
    keys: number
  }
}
const untilEnded = (id: string) =>
  waitFor('the end of the run', async () => {
    const state = await stateOf(id)
    return state.status !== 'queued' && state.status !== 'running' && state
  })
/** As if its time had passed. */
const letLeasePass = (id: string) =>
  database.query(`update agents.runs set lease_until = now() - interval '1 second' where id = $1`, [id])
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** A run in the middle of a call of the model, one of whose tools has left a process in a group of its own. */
async function runInProgress() {
  fake.reset()
  fake.script('openai', { toolCalls: [{ name: 'leave', arguments: {} }] })
  fake.script('openai', { hang: 'before-headers' })
  const id = await ask()
  await waitFor('the model to be asked again', () => fake.requests.length === 2)
  const left = Number((await stateOf(id)).result)
  const marked = await findMarked(id)
  const own = marked.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('child/main.js'))
  const worker = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${own}/status`, 'utf8'))?.[1])
  assert.ok(isAlive(left) && isAlive(worker) && marked.includes(left))
  return { id, left, worker }
}

const isLinux = process.platform === 'linux'

test(
  'a run whose process is killed is ended by another one, with all that it started; the next one runs',
  { skip: !isLinux },
  async () => {
    const { id, left, worker } = await runInProgress()
    fake.script('openai', { text: 'My turn.' })
    const next = await ask()
    assert.equal((await stateOf(next)).status, 'queued')
    process.kill(worker, 'SIGKILL')
    await letLeasePass(id)
    const ended = await untilEnded(id)
    assert.deepEqual([ended.status, ended.code, ended.keys], ['failed', 'interrupted', 0])
    await waitFor('its processes to end', async () => !isAlive(left) && (await findMarked(id)).length === 0)
    const followed = await untilEnded(next)
    assert.deepEqual([followed.status, followed.response], ['completed', 'My turn.'])
  },
)

test(
  'a process that comes back after its run was taken for lost changes nothing and has nothing left',
  { skip: !isLinux },
  async () => {
    const { id, worker } = await runInProgress()
    process.kill(worker, 'SIGSTOP')
    try {
      await letLeasePass(id)
      const ended = await untilEnded(id)
      assert.deepEqual([ended.status, ended.code], ['failed', 'interrupted'])
    } finally {
      process.kill(worker, 'SIGCONT')
    }
    fake.script('openai', { text: 'Both again.' })
    assert.equal((await untilEnded(await ask())).response, 'Both again.')
    assert.ok(isAlive(worker))
    const after = await stateOf(id)
    assert.deepEqual([after.status, after.code, after.keys], ['failed', 'interrupted', 0])
    assert.deepEqual(await findMarked(id), [])
  },
)
