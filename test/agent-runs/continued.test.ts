import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { keyWith, personWith, type Ask } from '#test/people'
import { platform, sqlCall, sqlPolicy, startRuns } from '#test/runs'
import { waitFor } from '#test/wait'

const it = await startRuns()
await it.execute('create table orders (id int primary key)')
await it.execute('insert into orders values (1), (2)')
await it.agent('plain')
await it.agent('engineer', { mcp_servers: platform, policy: sqlPolicy })

beforeEach(() => it.fake.reset())

const goOn = (id: string, request = 'And then?', by: Ask = it.call, more: object = {}) =>
  by(`/api/agent-runs/${id}/continue`, { json: { request, ...more } })

interface Sent {
  role?: string
  type?: string
  content?: string | { text: string }[]
  call_id?: string
  output?: string
}
/** The conversation that the provider got last, as OpenAI has it. */
const lastSent = (): Sent[] => (it.fake.requests.at(-1)?.json as { input?: Sent[] } | undefined)?.input ?? []
const kinds = (items: readonly Sent[]): (string | undefined)[] =>
  items.map(({ role, type }) => role ?? type).filter((kind) => kind !== 'system' && kind !== 'developer')
const said = ({ content = '' }: Sent = {}): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('')

test('a run that has ended continues the same conversation, and its cost adds up', async () => {
  it.script({ toolCalls: [sqlCall('select count(*) from orders')] }, { text: 'There are 2 orders.' })
  const first = await it.ask('engineer', { request: 'How many orders?' })
  it.script({ text: 'I counted them with SQL.' })
  const { status, json: second } = await goOn(first.run_id, 'How do you know?')
  assert.equal(status, 200)
  assert.deepEqual(
    [second.run_id, second.status, second.response, second.steps],
    [first.run_id, 'completed', 'I counted them with SQL.', 3],
  )
  const sent = lastSent().slice(-5)
  assert.deepEqual(kinds(lastSent()), ['user', 'function_call', 'function_call_output', 'assistant', 'user'])
  assert.equal(said(sent[0]), 'How many orders?')
  assert.equal(sent[1]?.call_id, sent[2]?.call_id)
  assert.match(sent[2]?.output ?? '', /<untrusted-data-[^]*"count":2/)
  assert.equal(said(sent[3]), 'There are 2 orders.')
  assert.equal(said(sent[4]), 'How do you know?')
  assert.deepEqual(
    second.turns.map(({ request }: { request: string }) => request),
    ['How do you know?'],
  )
  assert.equal(second.request, 'How many orders?')
  assert.ok(Number(second.cost) > Number(first.cost), `${second.cost} ${first.cost}`)
  const log = (await it.call(`/api/v1/logs?session=${first.run_id}`)).json.data as { prompt_tokens: number }[]
  assert.equal(
    second.usage.input_tokens,
    log.reduce((sum, row) => sum + row.prompt_tokens, 0),
  )
})

test('each message has limits of its own, so a run that reached one continues', async () => {
  it.script({ toolCalls: [sqlCall('select 1')] })
  const ended = await it.ask('engineer', { limits: { max_steps: 1 } })
  assert.equal(ended.error?.code, 'max_steps')
  it.script({ toolCalls: [sqlCall('select 2')] }, { text: 'Done now.' })
  const { json } = await goOn(ended.run_id, 'Go on.', it.call, { limits: { max_steps: 2 } })
  assert.deepEqual(
    [json.status, json.response, json.error, json.steps, json.limits.max_steps],
    ['completed', 'Done now.', null, 3, 3],
  )
  it.script({ toolCalls: [sqlCall('select 3')] })
  const { json: again } = await goOn(ended.run_id, 'Go on.', it.call, { limits: { max_steps: 1 } })
  assert.deepEqual([again.error.code, again.steps], ['max_steps', 4])
})

test('a call that never returned is told to the model as such', async () => {
  it.script({ toolCalls: [sqlCall('delete from orders where id = 1')] })
  const waits = await it.ask('engineer')
  assert.equal(waits.status, 'waiting')
  const refused = await goOn(waits.run_id)
  assert.equal(refused.status, 409)
  assert.match(refused.json.error.message, /waits for a person/)
  await it.call(`/api/agent-runs/${waits.run_id}/cancel`, { method: 'POST' })
  it.script({ text: 'It did not run.' })
  const { json } = await goOn(waits.run_id, 'Did it run?')
  assert.equal(json.response, 'It did not run.')
  assert.deepEqual(kinds(lastSent()), ['user', 'function_call', 'function_call_output', 'assistant', 'user'])
  assert.match(lastSent().at(-3)?.output ?? '', /ended before this call returned/)
})

test('a run in progress takes no message, and of two at once one is taken', async () => {
  it.script({ hang: 'before-headers' })
  const active = await it.ask('plain', { async: true })
  await waitFor('the model to be asked', () => it.fake.requests.length === 1)
  const refused = await goOn(active.run_id)
  assert.deepEqual([refused.status, refused.json.error.code], [409, 'conflict'])
  await it.call(`/api/agent-runs/${active.run_id}/cancel`, { method: 'POST' })
  it.fake.always('openai', { text: 'Yes.' })
  const both = await Promise.all([goOn(active.run_id, 'a'), goOn(active.run_id, 'b')])
  assert.deepEqual(both.map(({ status }) => String(status)).toSorted(), ['200', '409'])
  assert.equal((await it.run(active.run_id)).turns.length, 1)
})

test('it needs an agent that exists, in the group of the run, and somebody who may ask', async () => {
  await it.agent('short-lived')
  it.script({ text: 'Here.' })
  const { run_id: id } = await it.ask('short-lived')
  const group = (await it.call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id as string
  const stranger = await personWith(it, 'owner', group)
  assert.equal((await goOn(id, 'x', stranger)).status, 404)
  const viewer = await personWith(it, 'viewer')
  assert.equal((await goOn(id, 'x', viewer)).status, 403)
  const reader = await keyWith(it, ['read', 'sql'])
  assert.equal((await goOn(id, 'x', reader)).status, 403)
  for (const request of ['', '  ', 'x'.repeat(20_001)]) assert.equal((await goOn(id, request)).status, 400)
  await it.call('/api/agents/short-lived', { method: 'DELETE' })
  const gone = await goOn(id)
  assert.equal(gone.status, 409)
  assert.match(gone.json.error.message, /has been deleted/)
})

test('a run acts with the rights of the one who continues it, and with the agent as it is then', async () => {
  const key = await keyWith(it, ['agents'])
  it.script({ text: 'Ready.' })
  const { run_id: id } = await it.ask('engineer', {}, key)
  await it.call('/api/agents/engineer', {
    method: 'PATCH',
    json: { config: { system_prompt: 'You are new.' } },
  })
  it.script({ toolCalls: [sqlCall('select 1')] }, { text: 'I may.' })
  const { json: own } = await goOn(id, 'Look.')
  assert.deepEqual([own.tool_calls[0].status, own.agent_version], ['done', 2])
  assert.match(JSON.stringify(it.fake.requests.at(-1)?.json), /You are new\./)
  const { json: log } = await it.call('/api/v1/sql/logs?limit=1')
  assert.equal(log.data[0].asked_by.request, 'Look.')
  it.script({ toolCalls: [sqlCall('select 1')] }, { text: 'I may not.' })
  const { json } = await goOn(id, 'Look again.', key)
  assert.equal(json.tool_calls.length, 2)
  assert.notEqual(json.tool_calls[1].status, 'done')
})

test('a long conversation is shortened from its beginning, and stays one that providers accept', async () => {
  it.fake.always('openai', { text: 'x'.repeat(60_000) })
  const { run_id: id } = await it.ask('plain', { request: `Begin. ${'y'.repeat(5_000)}` })
  for (const word of ['one', 'two', 'three', 'four']) await goOn(id, word)
  const sent = lastSent()
  const turns = ['user', 'assistant']
  assert.ok(JSON.stringify(sent).length < 210_000)
  assert.deepEqual(kinds(sent), [...turns, ...turns, ...turns, ...turns, 'user'])
  assert.match(said(sent.at(-9)), /^Begin\. y+\n\[cut: /)
  assert.equal(said(sent.at(-2)).length, 60_000)
  assert.equal(said(sent.at(-1)), 'four')
})
