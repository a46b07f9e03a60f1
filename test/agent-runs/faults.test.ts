import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { temporaryFolder } from '#test/product'
import { startRuns } from '#test/runs'
import { waitFor } from '#test/wait'
import { findMarked } from '../../src/agents/run/process-tree.ts'

const it = await startRuns()
const toolServer = (...args: string[]) => ({
  things: { command: process.execPath, args: [join(import.meta.dirname, 'tool-server.js'), ...args] },
})
const tool = (name: string) => ({ toolCalls: [{ name, arguments: {} }] })
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

await it.agent('default', { mcp_servers: toolServer() })
beforeEach(() => it.fake.reset())

test('a tool server gets nothing of the server’s environment and not the key of the run', async () => {
  it.script(tool('look'), { text: 'Done.' })
  const { tool_calls: calls } = await it.ask('default')
  assert.doesNotMatch(calls[0]?.result ?? '', /KEY|TOKEN|DATABASE|DATA_DIR/)
})

test('a tool server is started once for a run; one of the newest version only is understood too', async () => {
  const notes = join(temporaryFolder(), 'starts')
  const starts = (): number => readFileSync(notes, 'utf8').trim().split('\n').length
  await it.agent('noted', { mcp_servers: toolServer(notes) })
  it.script(tool('look'), { text: 'Done.' })
  const run = await it.ask('noted')
  assert.deepEqual([run.status, run.tool_calls[0]?.status, starts()], ['completed', 'done', 1])
  await it.agent('newest', { mcp_servers: toolServer(notes, 'new') })
  it.script(tool('look'), { text: 'Done.' })
  const newest = await it.ask('newest')
  assert.deepEqual([newest.status, newest.tool_calls[0]?.status], ['completed', 'done'])
})

test('a tool server that is missing, dies or floods ends the run with a clear error', async () => {
  const flood = 'for (;;) require("fs").writeSync(1, "x".repeat(65536))'
  for (const [id, command, args, expected] of [
    ['missing', 'no-such-command', [], /"no-such-command" was not found/],
    ['dying', process.execPath, ['-e', 'console.error("out of luck"); process.exit(1)'], /out of luck/],
    ['flooding', process.execPath, ['-e', flood], /could not be used/],
  ] as const) {
    await it.agent(id, { mcp_servers: { bad: { command, args: [...args] } } })
    const run = await it.ask(id)
    assert.deepEqual([run.status, run.error?.code], ['failed', 'mcp_server'], JSON.stringify(run.error))
    assert.match(run.error?.message ?? '', expected)
  }
  await it.agent('hanging', {
    mcp_servers: { bad: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e3)'] } },
  })
  const hanging = await it.ask('hanging', { limits: { max_seconds: 1 } })
  assert.deepEqual([hanging.status, hanging.error?.code], ['failed', 'max_seconds'])
  it.script(tool('die'), { text: 'It died.' })
  const died = await it.ask('default')
  assert.deepEqual([died.status, died.tool_calls[0]?.status], ['completed', 'failed'])
})

test('a cancelled run leaves no process, not even one that left its group', async () => {
  it.script(tool('leave'), { hang: 'before-headers' })
  const run = await it.ask('default', { async: true })
  const pid = await waitFor('the process', async () =>
    Number((await it.run(run.run_id)).tool_calls[0]?.result),
  )
  assert.ok(isAlive(pid))
  const { json } = await it.call(`/api/agent-runs/${run.run_id}/cancel`, { method: 'POST' })
  assert.equal(json.status, 'cancelled')
  await waitFor('its end', () => !isAlive(pid))
})

test('a run that another process has taken for lost is stopped where it still runs', async () => {
  it.script(tool('leave'), { hang: 'before-headers' })
  const { run_id: id } = await it.ask('default', { async: true })
  const pid = await waitFor('the process', async () => Number((await it.run(id)).tool_calls[0]?.result))
  // From here on the run says nothing by which its server could notice.
  await waitFor('the model to be asked', () => it.fake.requests.length === 2)
  // As a process on another machine does it, which cannot reach the processes of the run.
  await it.admin(
    `update agents.runs set status = 'failed', error = '{"code": "interrupted", "message": "Lost."}',
       process_id = null, lease_until = null, finished_at = now() where id = '${id}'`,
    'status',
  )
  await waitFor('its end', async () => !isAlive(pid) && (await findMarked(id)).length === 0)
  const run = await it.run(id)
  assert.deepEqual([run.status, run.error?.message], ['failed', 'Lost.'])
  await waitFor('the end of its key', async () => {
    const keys = await it.admin(
      `select from access.api_keys where run_id = '${id}' and revoked_at is null`,
      'status',
    )
    return keys.length === 0
  })
})

test('events are replayed, followed and continued', async () => {
  it.script({ text: 'one two' })
  const read = (path: string, options = {}) => it.call(path, options)
  const asked = await read('/api/agents/default/ask', {
    json: { request: 'Go.' },
    headers: { accept: 'text/event-stream' },
  })
  const types = asked.text.match(/^event: \w+/gm)?.map((line) => line.slice(7))
  assert.deepEqual([types?.slice(0, 2), types?.at(-1)], [['status', 'status'], 'run'])
  const run = JSON.parse(asked.text.trim().split('data: ').at(-1) ?? '') as {
    run_id: string
    response: string
  }
  assert.equal(run.response, 'one two')
  const all = await read(`/api/agent-runs/${run.run_id}/events`)
  const rest = await read(`/api/agent-runs/${run.run_id}/events`, { headers: { 'last-event-id': '2' } })
  assert.ok(all.text.includes('id: 1\n') && all.text.endsWith(rest.text.slice(rest.text.indexOf('id: 3'))))
  assert.ok(!rest.text.includes('id: 2\n'))
})
