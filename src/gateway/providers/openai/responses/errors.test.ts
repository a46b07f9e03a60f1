import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFakeProvider } from '#fake-provider'
import { readUntilFault, requestOf, send } from '../../../passthrough/testing.ts'
import { assembled } from '../../../passthrough/testing-chunks.ts'
import { breaksAnywhere } from '../../../chat/testing-breaks.ts'
import { openai } from '../index.ts'

const fake = await startFakeProvider()
const base = fake.baseUrls.OPENAI_BASE_URL
after(() => fake.close())

const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
const ask = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'call the tool' }], tools }
const streamed = { stream: true, stream_options: { include_usage: true } }

test('errors inside the response are faults; what came before them is delivered', async () => {
  fake.script('openai', { text: 'one two three', streamError: { afterChunks: 6, message: 'it broke' } })
  await assert.rejects(send(openai, base, { ...ask, ...streamed }), {
    name: 'Fault',
    status: 502,
    message: 'it broke',
  })
  const delta = 'data: {"type":"response.output_text.delta","delta":"said"}\n\n'
  const failures: [string, number, string][] = [
    [
      'data: {"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}\n\n',
      429,
      'slow',
    ],
    ['event: error\ndata: {"type":"error","code":"server_error","message":"bad"}\n\n', 502, 'bad'],
    ['data: not json\n\n', 502, 'OpenAI sent an event that is not JSON.'],
    ['', 502, 'OpenAI ended the stream before the response was complete.'],
  ]
  for (const [event, status, message] of failures) {
    const { text, fault } = readUntilFault(openai.chat(requestOf({ ...ask, ...streamed })).stream(), [
      Buffer.from(delta + event),
    ])
    assert.deepEqual([fault.status, fault.message], [status, message])
    assert.equal(assembled(text).message['content'], 'said')
  }
  for (const body of [
    '<html>',
    'null',
    '{"status":"failed","error":{"message":"x"}}',
    '{"status":"in_progress","output":[]}',
    '{"status":"completed"}',
  ]) {
    assert.throws(() => openai.chat(requestOf(ask)).response(Buffer.from(body)), {
      name: 'Fault',
      status: 502,
    })
  }
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '' }
  const events = [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta: 'hm… 🤔' },
    { type: 'response.output_text.delta', delta: 'Grüße ' },
    { type: 'response.output_text.delta', delta: '日本' },
    { type: 'response.output_item.added', output_index: 2, item },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: '{}' },
    { type: 'response.output_item.done', output_index: 2, item: { ...item, arguments: '{}' } },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  breaksAnywhere({
    reader: () => openai.chat(requestOf({ ...ask, ...streamed })).stream(),
    events,
    error: 'data: {"type":"error","code":"server_error","message":"it broke"}\n\n',
    message: 'it broke',
  })
})
