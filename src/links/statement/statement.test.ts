import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { ask, make, setPrice } from '../testing-story.ts'
import type { Statement } from '../contract.ts'

/** The example of docs/links.md, worked out by hand. */

const it = await startGateway()
await setPrice(it)
const model = exampleModels.openai

interface Response {
  input: number
  output: number
  model?: string
}

/** A session of Claude Code with these responses. */
async function transcript(key: string, responses: readonly Response[], machine = 'laptop'): Promise<void> {
  const at = new Date().toISOString()
  const shared = { sessionId: key, timestamp: at, cwd: '/home/dev/shop', gitBranch: 'main' }
  const lines = [
    { type: 'user', uuid: randomUUID(), ...shared, message: { role: 'user', content: 'Do it' } },
    ...responses.map(({ input, output, model: of = model }) => ({
      ...{ type: 'assistant', uuid: randomUUID(), ...shared },
      message: {
        ...{
          id: `msg_${randomUUID()}`,
          role: 'assistant',
          model: of,
          content: [{ type: 'text', text: 'ok' }],
        },
        ...{ stop_reason: 'end_turn', usage: { input_tokens: input, output_tokens: output } },
      },
    })),
  ].map((line) => JSON.stringify(line))
  const path = `projects/-home-dev-shop/${key}.jsonl`
  const file = { machine, assistant: 'claude-code', root: '/home/dev/.claude', generation: 0, path }
  const to = lines.join('\n').length + 1
  const { status, text } = await it.call('/api/transcripts/ingest', {
    json: { ...file, from: 0, to, identity: null, lines },
  })
  assert.equal(status < 300, true, text)
}

/** With a key that a person made; that of the harness is nobody's. */
const mine = {
  ...it,
  key: ((await make(it, '/api/v1/keys', { name: 'mine', scopes: ['gateway'] })) as unknown as { key: string })
    .key,
}
const [work, past] = [randomUUID(), randomUUID()]
// In both: 0.001 + 0.001, and 0.0009 + 0.0006, whose response the client did not wait for.
await ask(mine, work, 1_000, 500)
await ask(mine, work, 900, 300)
// A title: 0.0004 + 0.0001. No message shows it.
await ask(mine, work, 400, 50)
it.fake.script('openai', { error: { status: 400, message: 'no' } })
await it.call('/v1/chat/completions', {
  key: mine.key,
  json: { model, messages: [{ role: 'user', content: 'x' }] },
  headers: { 'x-signalbox-session': work },
})
// The last one came past the gateway: 0.007 + 0.002.
await transcript(work, [
  { input: 1_000, output: 500 },
  { input: 900, output: 20 },
  { input: 7_000, output: 1_000 },
])
// Its machine has no watcher: 0.0003 + 0.0002.
await ask(it, randomUUID(), 300, 100)
// A program: 0.0002 + 0.0002.
await ask(it, null, 200, 100)
// An assistant that sends no ID: 0.0006 + 0.0004. The other response is of a model without a price.
await ask(it, null, 600, 200)
await transcript(past, [
  { input: 600, output: 200 },
  { input: 10, output: 10, model: 'model-nobody-knows' },
])
// A run of an agent: 0.0001 + 0.0001.
await make(it, '/api/agents', { id: 'worker', name: 'Worker', model, config: {} })
it.fake.script('openai', { text: 'Done.', usage: { input: 100, output: 50 } })
await make(it, '/api/agents/worker/ask', { request: 'Do it' })

const statement = async (query = ''): Promise<Statement> => {
  const answer = await it.call(`/api/v1/statement${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json as Statement
}
type Sums = Pick<Statement['totals'], 'gateway' | 'in_both' | 'gateway_only' | 'transcripts_only_estimated'>
const sums = (of: Sums | undefined) => [
  ...[of?.gateway, of?.in_both, of?.gateway_only, of?.transcripts_only_estimated],
]
const expected = ['0.0061', '0.0045', '0.0016', '0.009']

test('what both have and what only the gateway has are the usage log, to the last digit', async () => {
  const { totals, gateway_only_reasons: reasons, is_complete: isComplete } = await statement()
  assert.deepEqual(sums(totals), expected)
  const log = (await it.call('/api/v1/logs/summary')).json
  assert.deepEqual([totals.gateway, totals.requests, isComplete], [log.total_cost, log.requests, true])
  assert.deepEqual(reasons, {
    side_calls: { requests: 1, cost: '0.0005' },
    failed: { requests: 1, cost: '0' },
    no_transcript: { requests: 1, cost: '0.0005' },
    no_session: { requests: 1, cost: '0.0004' },
    own_work: { requests: 1, cost: '0.0002' },
  })
})

test('spend past the gateway is estimated by list prices, and says what has none', async () => {
  const { totals } = await statement()
  assert.deepEqual([totals.responses_past_gateway, totals.unpriced_responses], [2, 1])
})

test('days are those of the time zone of the group, and add up; so do people', async () => {
  const group = (await it.call('/api/v1/me')).json.groups[0].id
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata']) {
    await it.call(`/api/v1/groups/${group}`, { method: 'PATCH', json: { time_zone: zone } })
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date())
    const { days, people, time_zone: named, to } = await statement()
    assert.deepEqual([named, to, days.length], [zone, today, 30])
    assert.deepEqual(sums(days.at(-1)), expected, zone)
    assert.deepEqual(sums(days.at(-2)), ['0', '0', '0', '0'])
    assert.deepEqual(people.map(sums), [
      ['0.0042', '0.0035', '0.0007', '0.009'],
      ['0.0019', '0.001', '0.0009', '0'],
    ])
    assert.deepEqual(sums((await statement(`?from=2026-01-01&to=2026-01-31`)).totals), ['0', '0', '0', '0'])
  }
})

test('a new response, a late request and a deleted session change both sides', async () => {
  // What came past the gateway goes through it now, and a session appears for what had none.
  await ask(mine, work, 7_000, 1_000)
  const late = randomUUID()
  await ask(it, late, 100, 100)
  assert.equal((await statement()).gateway_only_reasons.no_transcript.requests, 2)
  await transcript(late, [{ input: 100, output: 100 }], 'desk')
  const { totals, gateway_only_reasons: reasons } = await statement()
  // 0.0061 + 0.009 + 0.0003
  assert.deepEqual(sums(totals), ['0.0154', '0.0138', '0.0016', '0'])
  assert.equal(reasons.no_transcript.requests, 1)
  const { id } = (await it.call(`/api/transcripts?external_id=${work}`)).json.data[0]
  assert.equal((await it.call(`/api/transcripts/${id}`, { method: 'DELETE' })).status, 204)
  const left = await statement()
  // Of 0.0138 the sessions that are left have 0.001 + 0.0003.
  assert.deepEqual(sums(left.totals), ['0.0154', '0.0013', '0.0141', '0'])
  assert.equal(left.is_complete, true)
})

test('spend past the gateway is that of whose key the watcher has', async () => {
  const me = (await it.call('/api/v1/me')).json.user
  await transcript(randomUUID(), [{ input: 50, output: 25 }], 'desk')
  const ofNobody = async () => (await statement()).people.find((row) => row.id === null)
  assert.equal((await ofNobody())?.transcripts_only_estimated, '0.0001')
  const report = { machine: 'desk', version: '1.0.0', started_at: new Date().toISOString(), roots: [] }
  const { status, text } = await it.call('/api/transcripts/watchers', {
    ...{ method: 'PUT', json: { ...report, skipped: [], problem: null } },
  })
  assert.equal(status, 204, text)
  assert.equal((await ofNobody())?.transcripts_only_estimated ?? '0', '0')
  const ours = (await statement()).people.find((row) => row.id === me.id)
  assert.deepEqual([ours?.name, ours?.transcripts_only_estimated], [me.name, '0.0001'])
})

test('other groups have a statement of their own, and a bad period is refused', async () => {
  const other = (await it.call('/api/v1/groups', { json: { name: 'Other' } })).json
  const headers = { 'x-group-id': other.id as string }
  const { json } = await it.call('/api/v1/statement', { headers })
  assert.deepEqual([sums(json.totals), json.people], [['0', '0', '0', '0'], []])
  for (const query of [
    ...[
      'from=yesterday',
      'from=2026-02-02&to=2026-02-01',
      'from=2024-01-01&to=2026-01-01',
      'from=1960-01-01',
    ],
    'from=2026-02-30',
  ])
    assert.equal((await it.call(`/api/v1/statement?${query}`)).status, 400, query)
})
