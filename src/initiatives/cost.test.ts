import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const it = await startGateway()
const models = [exampleModels.openai, exampleModels.anthropic]
// One dollar per million tokens read, two per million written.
for (const model of models)
  await it.call(`/api/v1/pricing/${model}`, {
    method: 'PUT',
    json: { input_price_per_1m: '1', output_price_per_1m: '2' },
  })

async function ask(model: string, session: string, input: number, output: number): Promise<void> {
  it.fake.script(model === exampleModels.openai ? 'openai' : 'anthropic', {
    text: 'ok',
    usage: { input, output },
  })
  const answer = await it.call('/v1/chat/completions', {
    key: it.key,
    json: { model, messages: [{ role: 'user', content: 'x' }] },
    headers: { 'x-signalbox-session': session },
  })
  assert.equal(answer.status, 200, answer.text)
}

async function transcript(external: string): Promise<string> {
  const line = { type: 'user', uuid: randomUUID(), message: { role: 'user', content: 'Fix the checkout' } }
  await it.call('/api/transcripts/ingest', {
    json: {
      ...{ machine: 'laptop', assistant: 'claude-code', root: '/home/dev/.claude', generation: 0 },
      path: `projects/-home-dev-shop/${external}.jsonl`,
      ...{ from: 0, to: 100, identity: null, lines: [JSON.stringify(line)] },
    },
  })
  return (await it.call(`/api/transcripts?external_id=${external}`)).json.data[0].id
}

const [worked, bypassed] = [randomUUID(), randomUUID()]
await ask(exampleModels.openai, worked, 1_000, 500)
await ask(exampleModels.openai, worked, 2_000, 100)
await ask(exampleModels.anthropic, worked, 3, 3)
await ask(exampleModels.openai, 'somebody else', 1_000_000, 1)
const { id } = (await it.call('/api/initiatives', { json: { title: 'Checkout' } })).json

test('an initiative without links has cost nothing that is known', async () => {
  const { json } = await it.call(`/api/initiatives/${id}/cost`)
  assert.deepEqual(json.exact, { requests: 0, unpriced_requests: 0, cost: null })
  assert.deepEqual([json.by_model, json.sources], [[], []])
})

test('the cost is the exact sum of the linked sessions, by model; what is not counted is said', async () => {
  const links = [await transcript(worked), await transcript(bypassed), randomUUID()]
  for (const [place, target] of links.entries())
    await it.call(`/api/initiatives/${id}/links`, {
      json: { kind: 'transcript', target, title: `Session ${place}` },
    })
  const { json } = await it.call(`/api/initiatives/checkout/cost`)
  // 3000 × 1 + 600 × 2 millionths, and 3 × 1 + 3 × 2.
  assert.deepEqual(json.by_model, [
    { model: exampleModels.openai, requests: 2, unpriced_requests: 0, cost: '0.0042' },
    { model: exampleModels.anthropic, requests: 1, unpriced_requests: 0, cost: '0.000009' },
  ])
  assert.deepEqual(json.exact, { requests: 3, unpriced_requests: 0, cost: '0.004209' })
  assert.deepEqual(json.sources, [{ kind: 'transcript', id: links[0], title: 'Session 0', ...json.exact }])
  const { transcripts_without_requests: without, missing_transcripts: missing, rule } = json.unattributed
  assert.deepEqual([without, missing], [1, 1])
  assert.match(rule, /unattributed/)
})

test("another group's transcript adds nothing", async () => {
  const other = (await it.call('/api/v1/groups', { json: { name: 'Other' } })).json
  const headers = { 'x-group-id': other.id as string }
  const foreign = (await it.call('/api/initiatives', { json: { title: 'Foreign' }, headers })).json
  const target = await transcript(worked)
  await it.call(`/api/initiatives/${foreign.id}/links`, { json: { kind: 'transcript', target }, headers })
  const { json } = await it.call(`/api/initiatives/${foreign.id}/cost`, { headers })
  assert.deepEqual([json.exact.cost, json.unattributed.missing_transcripts], [null, 1])
  assert.equal((await it.call(`/api/initiatives/${id}/cost`, { headers })).status, 404)
})
