import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from '../../chat/testing.ts'
import type { JsonObject } from '../../wire/json.ts'
import { ask, messageOf } from './testing.ts'

const completion = (message: JsonObject, finish = 'stop', more: JsonObject = {}) => ({
  id: 'chatcmpl-7',
  choices: [{ index: 0, message, finish_reason: finish, ...more }],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
    completion_tokens_details: { reasoning_tokens: 5 },
  },
})
const call = (id: string, args: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: args },
})

test('a text is a message with the name and the counts that the client knows', () => {
  assert.deepEqual(messageOf(completion({ content: 'Hello' })), {
    id: 'msg_7',
    type: 'message',
    role: 'assistant',
    model: 'own-model',
    container: null,
    content: [{ type: 'text', text: 'Hello', citations: null }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    usage: {
      input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 5 },
      server_tool_use: null,
      service_tier: null,
      inference_geo: null,
      speed: null,
    },
  })
})

test('calls have their input parsed, and end the response whatever the server calls it', () => {
  const said = completion({ content: null, tool_calls: [call('a', '{"city":"Rome"}'), call('b', '')] })
  const { content, stop_reason: reason } = messageOf(said)
  const use = { type: 'tool_use', name: 'weather', caller: { type: 'direct' } }
  assert.deepEqual(content, [
    { ...use, id: 'a', input: { city: 'Rome' } },
    { ...use, id: 'b', input: {} },
  ])
  assert.equal(reason, 'tool_use')
})

test('half a call is left out of a response that was cut off, and is a fault in any other', () => {
  const message = { content: 'Well', tool_calls: [call('a', '{"ci')] }
  const { content, stop_reason: reason } = messageOf(completion(message, 'length'))
  assert.deepEqual([content, reason], [[{ type: 'text', text: 'Well', citations: null }], 'max_tokens'])
  assert.equal(faultOf(() => messageOf(completion(message, 'tool_calls'))).status, 502)
})

test('the stop reason is one of the Messages API', () => {
  const reason = (finish: string, more: JsonObject = {}) => {
    const body = { stop_sequences: ['HALT'] }
    const { stop_reason: why, stop_sequence: stop } = messageOf(
      completion({ content: 'x' }, finish, more),
      body,
    )
    return [why, stop]
  }
  assert.deepEqual(reason('length'), ['max_tokens', null])
  assert.deepEqual(reason('content_filter'), ['refusal', null])
  assert.deepEqual(reason('a_new_reason'), ['end_turn', null])
  assert.deepEqual(reason('stop', { stop_reason: 'HALT' }), ['stop_sequence', 'HALT'])
  assert.deepEqual(reason('stop', { native_finish_reason: 'stop_sequence' }), ['stop_sequence', null])
})

test('a refusal is reported as such and can be read', () => {
  const message = messageOf(completion({ content: null, refusal: 'I will not.' }))
  assert.deepEqual(message['content'], [{ type: 'text', text: 'I will not.', citations: null }])
  assert.equal(message['stop_reason'], 'refusal')
  assert.deepEqual(message['stop_details'], { type: 'refusal', category: null, explanation: 'I will not.' })
})

test('sources stay with the text, pictures are at least mentioned', () => {
  const cited = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 }
  const annotations = [{ type: 'url_citation', url_citation: cited }]
  const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }]
  assert.deepEqual(messageOf(completion({ content: 'Rome is old.', annotations, images }))['content'], [
    {
      type: 'text',
      text: 'Rome is old.[1 image(s) made by the model cannot be shown here]',
      citations: [
        {
          type: 'web_search_result_location',
          url: 'https://a.example',
          title: 'A',
          cited_text: 'Rome',
          encrypted_index: '',
        },
      ],
    },
  ])
})

test('a response without a message is a fault', () => {
  const read = () => ask({}).response(Buffer.from('{"choices":[]}'))
  assert.match(faultOf(read).message, /Own sent a response without a message/)
})
