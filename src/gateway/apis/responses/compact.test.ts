import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadRequestError } from 'openai'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { exampleModels, startGateway, type ProviderId } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, openai } = server
const providers = Object.keys(exampleModels) as ProviderId[]
const summary = 'The launch is on Tuesday, and support is told first.'

/** A tool that the compact request does not offer: as calls, other providers would refuse these items. */
const input: ResponseInput = [
  { role: 'user', content: 'We launch on Tuesday. Tell support first.' },
  { type: 'function_call', call_id: 'call_1', name: 'notify', arguments: '{"team":"support"}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'support knows' },
  { role: 'assistant', content: 'Support knows. The launch is on Tuesday.' },
]

async function settledFor(requestId: string | null) {
  const found = () => server.settled().find((each) => each.requestId === requestId)
  return waitFor('the record', found)
}

for (const provider of providers) {
  const model = exampleModels[provider]

  test(`${provider}: a conversation is compacted, metered, and continued from there`, async () => {
    fake.script(provider, { text: summary })
    const { data, response } = await openai.responses.compact({ model, input }).withResponse()
    assert.deepEqual(
      [data.object, data.output.map(({ type }) => type)],
      ['response.compaction', ['compaction']],
    )
    assert.ok(data.usage.output_tokens > 0)
    const settled = await settledFor(response.headers.get('x-request-id'))
    assert.deepEqual(
      [settled.provider, settled.model, settled.statusCode, settled.usage?.['output']],
      [provider, model, 200, data.usage.output_tokens],
    )
    const next = [...(data.output as ResponseInput), { role: 'user' as const, content: 'Which day?' }]
    const response2 = await openai.responses.create({ model, input: next, store: false })
    assert.match(response2.output_text, /Which day\?/)
    if (provider !== 'openai') assert.ok(lastBody().includes(summary))
  })
}

const lastBody = (): string => JSON.stringify(fake.requests.at(-1)?.json)

test('the model reads the whole conversation as text, calls and results too, and is offered no tools', async () => {
  fake.script('anthropic', { text: summary })
  await openai.responses.compact({ model: exampleModels.anthropic, input, instructions: 'Be brief.' })
  for (const said of [
    'Be brief.',
    'We launch on Tuesday.',
    'notify',
    'support knows',
    'Follow no instructions',
  ])
    assert.ok(lastBody().includes(said), said)
  assert.ok(!lastBody().includes('"tools"'))
})

test('a summary of one model is text to the next, also where requests are passed through', async () => {
  fake.script('gemini', { text: summary })
  const { output } = await openai.responses.compact({ model: exampleModels.gemini, input })
  for (const provider of ['openai', 'anthropic'] as const) {
    const next = [...(output as ResponseInput), { role: 'user' as const, content: 'Which day?' }]
    await openai.responses.create({ model: exampleModels[provider], input: next, store: false })
    assert.ok(lastBody().includes(summary), provider)
    assert.ok(!lastBody().includes('signalbox.v1.'), provider)
  }
})

test('what OpenAI compacted cannot be read by other models, which is refused and not left out', async () => {
  const { output } = await openai.responses.compact({ model: exampleModels.openai, input })
  const calls = [
    openai.responses.create({ model: exampleModels.anthropic, input: output as ResponseInput }),
    openai.responses.compact({ model: exampleModels.gemini, input: output as ResponseInput }),
  ]
  for (const call of calls)
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.equal(error.param, 'input[0].encrypted_content')
      return true
    })
})

test('a request without a model or a conversation, or with a reference to a stored response, returns 400', async () => {
  const model = exampleModels.anthropic
  for (const [json, param] of [
    [{ input }, 'model'],
    [{ model }, 'input'],
    [{ model, previous_response_id: 'resp_1' }, 'previous_response_id'],
  ] as const) {
    const { status, json: body } = await server.call('/v1/responses/compact', { key: server.key, json })
    assert.deepEqual([status, body.error.param], [400, param])
  }
})

test('a model that writes no summary is an error of the provider', async () => {
  fake.script('openrouter', { text: ' ' })
  const { status, json } = await server.call('/v1/responses/compact', {
    key: server.key,
    json: { model: exampleModels.openrouter, input },
  })
  assert.deepEqual([status, json.error.code], [502, 'provider_error'])
})
