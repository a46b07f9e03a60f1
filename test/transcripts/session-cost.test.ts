import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { get, sendFile, sessions } from './archive.ts'

const server = await startGateway()
const key = '33333333-3333-4333-8333-333333333333'
const { openai: large, anthropic: small } = exampleModels

/** US dollars per million tokens, chosen so that the sums can be worked out by hand. */
for (const [model, input, output] of [
  [large, '2', '10'],
  [small, '1', '5'],
])
  assert.equal(
    (
      await server.call(`/api/v1/pricing/${model}`, {
        method: 'PUT',
        key: server.key,
        json: { input_price_per_1m: input, output_price_per_1m: output },
      })
    ).status,
    200,
  )

interface Asked {
  model: string
  input: number
  output: number
  subagent?: string
  session?: string
}

async function ask({ model, input, output, subagent, session = key }: Asked): Promise<string> {
  server.fake.always(model === large ? 'openai' : 'anthropic', () => ({
    text: 'ok',
    usage: { input, output },
  }))
  const { status, headers, text } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model, messages: [{ role: 'user', content: 'hi' }] },
    headers: {
      'x-claude-code-session-id': session,
      ...(subagent !== undefined && { 'x-claude-code-agent-id': subagent }),
    },
  })
  assert.equal(status, 200, text)
  return headers.get('x-request-id') ?? ''
}

const at = (second: number): string => new Date(Date.now() + second * 1_000).toISOString()
const common = { sessionId: key, cwd: '/home/dev/shop', version: '2.1.325' }

function prompt(uuid: string, content: string, fields: object = {}): object {
  return {
    type: 'user',
    uuid,
    parentUuid: null,
    timestamp: at(0),
    ...common,
    message: { role: 'user', content },
    ...fields,
  }
}

function answer(uuid: string, model: string, input: number, output: number, fields: object = {}): object {
  const usage = { input_tokens: input, output_tokens: output }
  const message = {
    id: `msg_${uuid}`,
    model,
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    usage,
  }
  return { type: 'assistant', uuid, parentUuid: null, timestamp: at(1), ...common, message, ...fields }
}

const send = (path: string, records: object[]): Promise<void> =>
  sendFile(server, {
    assistant: 'claude-code',
    path: `projects/-home-dev-shop/${path}`,
    lines: records.map((record) => JSON.stringify(record)),
  })

const title = await ask({ model: small, input: 300, output: 7 })
await ask({ model: large, input: 1_000, output: 50 })
await ask({ model: large, input: 2_000, output: 60 })
await ask({ model: small, input: 500, output: 20, subagent: 'helper' })
await ask({ model: large, input: 9_000, output: 900, session: 'another' })
const refused = await server.call('/v1/chat/completions', {
  key: server.key,
  json: { model: 'no-such-model', messages: [] },
  headers: { 'x-claude-code-session-id': key },
})
assert.equal(refused.status, 404)

const side = { isSidechain: true, agentId: 'helper' }
await send(`${key}.jsonl`, [
  prompt('u1', 'fix the total'),
  answer('a1', large, 1_000, 50),
  answer('a2', large, 2_000, 60),
])
await send(`${key}/subagents/agent-helper.jsonl`, [
  prompt('u2', 'look into it', side),
  answer('a3', small, 500, 20, side),
])

const [main, helper] = await Promise.all(
  [key, 'helper'].map(async (each) => (await sessions(server, `?external_id=${each}`))[0]),
)
assert.ok(main && helper)

test('a session costs what its requests and those of its subagents cost, to the last digit', async () => {
  // Large: 3,000 × $2 + 110 × $10 for a million = $0.0071. Small: 800 × $1 + 27 × $5 = $0.000935.
  assert.equal(main.cost, '0.008035')
  const { session } = await get(server, `/api/transcripts/${main.id}`)
  assert.deepEqual(session.costs.slice(0, 2), [
    { model: large, requests: 2, unpriced: 0, cost: '0.0071' },
    { model: small, requests: 2, unpriced: 0, cost: '0.000935' },
  ])
  assert.deepEqual(
    session.costs.slice(2).map((each: { model: string; requests: number }) => [each.model, each.requests]),
    [['no-such-model', 1]],
  )
  const log = await get(server, `/api/v1/logs/summary?session=${key}`)
  assert.equal(log.total_cost, '0.008035')
})

test('a subagent costs what its own requests cost', async () => {
  // 500 × $1 + 20 × $5 for a million.
  assert.equal(helper.cost, '0.0006')
  const { session } = await get(server, `/api/transcripts/${helper.id}`)
  assert.equal(session.calls_without_message, 0)
})

test('requests that no message shows are counted and listed', async () => {
  const { session } = await get(server, `/api/transcripts/${main.id}`)
  assert.equal(session.calls_without_message, 2)
  const { data, total } = await get(server, `/api/transcripts/${main.id}/calls`)
  assert.equal(total, 2)
  assert.deepEqual(
    data.map((call: { request_id: string; status_code: number; model: string }) => [
      call.request_id,
      call.status_code,
      call.model,
    ]),
    [
      [refused.headers.get('x-request-id'), 404, 'no-such-model'],
      [title, 200, small],
    ],
  )
  assert.deepEqual([data[1].input_tokens, data[1].output_tokens, data[1].cost], [300, 7, '0.000335'])
})

test('a session without a request has no cost', async () => {
  const lonely = '44444444-4444-4444-8444-444444444444'
  await send(`${lonely}.jsonl`, [prompt('u9', 'hello', { sessionId: lonely })])
  const [found] = await sessions(server, `?external_id=${lonely}`)
  assert.equal(found?.cost, null)
  const { session } = await get(server, `/api/transcripts/${found?.id}`)
  assert.deepEqual([session.costs, session.calls_without_message], [[], null])
})
