import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startRuns } from '#test/runs'

const it = await startRuns()
await it.agent('plain')
await it.agent('writer', {
  mcp_servers: {
    things: { command: process.execPath, args: [join(import.meta.dirname, 'tool-server.ts')] },
  },
})

test('characters that PostgreSQL cannot hold are left out of what a run says, calls and asks', async () => {
  it.script(
    { toolCalls: [{ name: 'no\0such', arguments: { 'na\0me': 'va\0lue \ud800' } }] },
    { text: 'It is \0done.' },
  )
  const run = await it.ask('plain')
  assert.deepEqual([run.status, run.response], ['completed', 'It is done.'], JSON.stringify(run.error))
  const [call] = run.tool_calls
  assert.deepEqual([call?.name, call?.arguments], ['nosuch', { name: 'value �' }])

  it.script({ toolCalls: [{ name: 'ask_person', arguments: { question: 'Wh\0ich?' } }] }, { text: 'Right.' })
  const waiting = await it.ask('plain')
  assert.ok(waiting.waiting_for?.kind === 'question', JSON.stringify(waiting.error))
  assert.equal(waiting.waiting_for.question, 'Which?')
  await it.call(`/api/agent-runs/${waiting.run_id}/answer`, { json: { text: 'This one.' } })
  assert.equal((await it.until(waiting.run_id, 'completed')).response, 'Right.')
})

test('a model that calls thousands of tools in one response ends its run; a hundred are made', async () => {
  const calls = (length: number) => ({
    toolCalls: Array.from({ length }, () => ({ name: 'nothing', arguments: {} })),
  })
  it.script(calls(100), { text: 'Done.' })
  const good = await it.ask('plain')
  assert.deepEqual([good.status, good.tool_calls.length], ['completed', 100], JSON.stringify(good.error))
  it.script(calls(5_000))
  const bad = await it.ask('plain')
  assert.deepEqual([bad.status, bad.error?.code], ['failed', 'max_tool_calls'])
  assert.equal(bad.tool_calls.length, 100)
})

test('a key in the arguments of a call that waits for a person is masked for them, and nobody sees it', async () => {
  const key = `sb-${'A'.repeat(43)}`
  it.script({ toolCalls: [{ name: 'write', arguments: { note: key } }] })
  const run = await it.ask('writer')
  assert.ok(run.waiting_for?.kind === 'tool', JSON.stringify(run.error))
  assert.deepEqual(run.waiting_for.arguments, { note: 'sb-[masked]' })
  assert.ok(!JSON.stringify(run).includes(key))
  await it.call(`/api/agent-runs/${run.run_id}/cancel`, { method: 'POST' })
})
