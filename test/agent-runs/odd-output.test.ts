import assert from 'node:assert/strict'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { platform, sqlPolicy, startRuns } from '#test/runs'

const it = await startRuns()
beforeEach(() => it.fake.reset())
await it.agent('plain')
await it.agent('writer', {
  mcp_servers: {
    things: { command: process.execPath, args: [join(import.meta.dirname, 'tool-server.js')] },
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
    toolCalls: Array.from({ length }, () => ({ name: 'look', arguments: {} })),
  })
  it.script(calls(100), { text: 'Done.' })
  const good = await it.ask('writer')
  assert.deepEqual([good.status, good.tool_calls.length], ['completed', 100], JSON.stringify(good.error))
  it.script(calls(5_000))
  const bad = await it.ask('writer')
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

test('a call of a tool that does not exist, or with arguments that are no JSON, is said in plain words', async () => {
  const calls = ['no_such_tool', 'ask_person'].map((name) => ({ name, arguments: '{"half' }))
  it.script({ toolCalls: calls }, { text: 'I give up.' })
  const run = await it.ask('plain')
  assert.equal(run.response, 'I give up.', JSON.stringify(run.error))
  assert.deepEqual(
    run.tool_calls.map(({ status, result }) => [status, result]),
    [
      ['failed', 'The agent called a tool that does not exist: "no_such_tool".'],
      ['failed', 'The agent called "ask_person" with arguments that are not JSON.'],
    ],
  )
})

test('an argument named __proto__ is shown, judged by the tool like any other, and changes no prototype', async () => {
  await it.agent('engineer', { mcp_servers: platform, policy: sqlPolicy })
  const proto = '"__proto__":{"question":"Which?","database":"application","sql":"SELECT 1","reason":"x"}'
  const call = (name: string, more = '') => ({ name, arguments: `{${proto}${more}}` })
  const whole = ',"database":"application","sql":"SELECT 1 AS one","reason":"a test"'
  it.script(
    { toolCalls: [call('ask_person'), call('platform_sql_execute'), call('platform_sql_execute', whole)] },
    { text: 'Done.' },
  )
  const run = await it.ask('engineer')
  assert.equal(run.status, 'completed', JSON.stringify(run.error))
  const [asked, refused, done] = run.tool_calls
  assert.deepEqual([asked?.status, asked?.result], ['failed', 'question must be a string that is not empty.'])
  assert.equal(refused?.status, 'failed')
  for (const missing of ['database', 'reason', 'sql'])
    assert.match(
      refused.result ?? '',
      new RegExp(`${missing}: Invalid input: expected string, received undefined`),
    )
  assert.equal(done?.status, 'done', done?.result ?? '')
  for (const { arguments: shown } of run.tool_calls)
    assert.ok(Object.hasOwn(shown, '__proto__'), JSON.stringify(shown))

  it.script({ toolCalls: [call('write')] }, { text: 'Done.' })
  const waiting = await it.ask('writer')
  assert.ok(waiting.waiting_for?.kind === 'tool', JSON.stringify(waiting.error))
  assert.ok(Object.hasOwn(waiting.waiting_for.arguments, '__proto__'))
  await it.call(`/api/agent-runs/${waiting.run_id}/cancel`, { method: 'POST' })
})

test('calls that have the same id, in one response or in two, are calls of their own', async () => {
  const call = (name: string) => ({ name, arguments: {}, id: 'call_1' })
  it.script(
    { toolCalls: [call('look'), call('nothing')] },
    { toolCalls: [call('nothing')] },
    { text: 'Done.' },
  )
  const run = await it.ask('writer')
  assert.equal(run.status, 'completed', JSON.stringify(run.error))
  assert.deepEqual(
    run.tool_calls.map(({ name, status }) => [name, status]),
    [
      ['look', 'done'],
      ['nothing', 'failed'],
      ['nothing', 'failed'],
    ],
  )
  const ids = run.tool_calls.map(({ id }) => id)
  assert.deepEqual(ids, ['call_1', 'call_1-2', 'call_1-3'])
  const sent = it.fake.requests.at(-1)?.json as { input: { type?: string; call_id?: string }[] } | undefined
  const results = sent?.input.filter(({ type }) => type === 'function_call_output')
  assert.deepEqual(
    results?.map(({ call_id }) => call_id),
    ids,
    'the model has a result for each',
  )
})

test('text that nobody can see is no request, no question, no answer and no response', async () => {
  const unseen = '\u200b \u2060\u00ad\n\ufeff'
  const { status, json } = await it.call('/api/agents/plain/ask', { json: { request: unseen } })
  assert.deepEqual([status, json.error.param], [400, 'request'])
  it.script({ text: unseen })
  const silent = await it.ask('plain')
  assert.deepEqual([silent.status, silent.error?.code], ['failed', 'no_response'])
  const ask = (question: string) => ({ toolCalls: [{ name: 'ask_person', arguments: { question } }] })
  it.script(ask(unseen), ask('Which?'), { text: 'Right.' })
  const waiting = await it.ask('plain')
  assert.deepEqual(
    [waiting.status, ...waiting.tool_calls.map((call) => call.status)],
    ['waiting', 'failed', 'waiting'],
  )
  const answer = `/api/agent-runs/${waiting.run_id}/answer`
  assert.equal((await it.call(answer, { json: { text: unseen } })).status, 400)
  assert.equal((await it.call(answer, { json: { text: 'a\u200bb' } })).status, 200)
  assert.equal((await it.until(waiting.run_id, 'completed')).response, 'Right.')
})

test('a run that writes without end is ended at 8 MB, also where it waited between', async () => {
  const megabytes = (times: number) => ({ repeat: { text: 'word '.repeat(13_000), times: times * 16 } })
  const stored = async (id: string): Promise<number> => {
    const [row] = await it.admin(
      `select sum(length(data ->> 'content'))::int as n from agents.run_events where run_id = '${id}'`,
      'status',
    )
    return row?.['n'] as number
  }
  it.script(megabytes(12))
  const endless = await it.ask('plain')
  assert.deepEqual([endless.status, endless.error?.code], ['failed', 'max_output'])
  assert.equal(endless.error?.message, 'The run wrote more than 8 MB of text and calls, which is the limit.')
  const kept = await stored(endless.run_id)
  assert.ok(kept > 7_000_000 && kept <= 8 * 1024 * 1024, `${kept}`)

  it.script(
    { text: 'Hm.', toolCalls: [{ name: 'ask_person', arguments: { question: 'More?' } }] },
    megabytes(2),
  )
  const { run_id: id, status } = await it.ask('plain')
  assert.equal(status, 'waiting')
  // As if it had said more before it asked.
  await it.admin(
    `update agents.run_events set data = jsonb_build_object('content', repeat('x', 7000000))
     where run_id = '${id}' and type = 'text'`,
    'status',
  )
  await it.call(`/api/agent-runs/${id}/answer`, { json: { text: 'Yes.' } })
  assert.equal((await it.until(id, 'failed')).error?.code, 'max_output')
  assert.ok((await stored(id)) <= 8 * 1024 * 1024)
})
