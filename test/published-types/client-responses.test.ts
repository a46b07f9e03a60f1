import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunks, exchangeOf, responseTo } from '../../src/gateway/apis/responses/testing.ts'
import { readAll } from '../../src/gateway/passthrough/testing.ts'
import { objectOf } from '../../src/gateway/wire/json.ts'
import { SseParser } from '../../src/gateway/wire/sse.ts'
import { typeErrors } from './compile.ts'
import type { TypedRequest } from './compile.ts'

const parameters = { type: 'object', properties: {} }
const requests = [
  {},
  {
    instructions: 'Be brief',
    max_output_tokens: 100,
    temperature: 0.5,
    top_p: 0.5,
    metadata: { team: 'rail' },
    user: 'someone',
    safety_identifier: 'hash',
    prompt_cache_key: 'key',
    service_tier: 'flex',
    top_logprobs: 2,
    reasoning: { effort: 'high', summary: 'auto' },
    text: {
      format: { type: 'json_schema', name: 'place', schema: parameters, strict: true },
      verbosity: 'low',
    },
    tools: [
      { type: 'function', name: 'weather', description: 'The weather', parameters, strict: false },
      {
        type: 'custom',
        name: 'patch',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
      },
      {
        type: 'namespace',
        name: 'crm',
        description: 'Customers',
        tools: [{ type: 'function', name: 'find', parameters }],
      },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'weather' }] },
    parallel_tool_calls: false,
  },
]

const call = (index: number, name: string, args: string) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name, arguments: args },
})
const message = {
  reasoning: 'Hm',
  reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'c2ln', index: 0 }],
  content: 'Said',
  annotations: [
    {
      type: 'url_citation',
      url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 },
    },
  ],
  images: [{ image_url: { url: 'data:image/png;base64,AA==' } }],
  tool_calls: [call(0, 'weather', '{}'), call(1, 'patch', '{"input":"a"}'), call(2, 'crm__find', '{}')],
}
const refusal = { content: null, refusal: 'I will not' }
const token = {
  token: 'Said',
  logprob: -0.5,
  bytes: [1],
  top_logprobs: [{ token: 'Said', logprob: -0.5, bytes: [1] }],
}
const finishes = ['stop', 'length', 'content_filter']

/**
 * Without what these types do not have: the name of the tool at the end of its arguments, which only those for Python
 * have, and fields that the Open Responses specification requires.
 */
function published(value: unknown): unknown {
  const { name, response, ...rest } = objectOf(value)
  const isEnd = rest['type'] === 'response.function_call_arguments.done'
  assert.ok(!isEnd || typeof name === 'string')
  const whole = { ...rest, ...(name === undefined || isEnd ? {} : { name }) }
  const known = Object.entries(whole).filter(
    // Usage is null until the response is complete, as OpenAI sends it; its type says that it is absent.
    ([field, given]) => !unpublished.includes(field) && !(field === 'usage' && given === null),
  )
  return {
    ...Object.fromEntries(known),
    ...(response === undefined ? {} : { response: published(response) }),
  }
}

const unpublished = ['frequency_penalty', 'presence_penalty', 'store']

test('what clients of the Responses API receive fits the types that OpenAI publishes', async () => {
  const sent: TypedRequest[] = []
  for (const request of requests) {
    const free = { ...request, tool_choice: 'auto' }
    for (const assistant of [message, refusal, { content: '' }]) {
      for (const finish of finishes) {
        const origin = `sent for ${JSON.stringify({ request, assistant, finish })}`
        const more = { finish_reason: finish, logprobs: { content: [token] } }
        sent.push({
          format: 'clientResponse',
          body: JSON.stringify(published(responseTo(free, assistant, more))),
          origin,
        })
        sent.push({
          format: 'clientResponse',
          body: JSON.stringify(published(responseTo(request, assistant, more))),
          origin,
        })
        for (const event of eventsOf(free, assistant, finish))
          sent.push({ format: 'clientEvent', body: JSON.stringify(published(JSON.parse(event))), origin })
      }
    }
  }
  const types = new Set(sent.map(({ body }) => (JSON.parse(body) as { type?: string }).type))
  assert.equal(types.size, 22, `${types.size - 1} types of events: ${[...types].join(', ')}`)
  const errors = await typeErrors(sent)
  assert.equal(
    errors.length,
    0,
    `${errors.length} typeErrors, the first:\n${errors.slice(0, 3).join('\n\n')}`,
  )
})

test('the check of what clients receive can fail', async () => {
  const planted = { type: 'response.output_text.delta', delta: 'a', item_id: 'msg_1' }
  const sent = await typeErrors([{ format: 'clientEvent', body: JSON.stringify(planted), origin: 'planted' }])
  assert.equal(sent.length, 1)
})

function eventsOf(request: object, assistant: object, finish: string): string[] {
  const { reasoning_details: details, annotations, ...rest } = assistant as typeof message
  const deltas = [{ reasoning: 'Hm' }, { reasoning_details: details }, rest, { annotations }]
  const text = [{ content: 'Said' }, { annotations }]
  return [deltas, text].flatMap((each) => {
    const reader = exchangeOf({ ...request, stream: true }).stream()
    const { text: stream } = readAll(reader, [chunks(each, finish)])
    return new SseParser().push(Buffer.from(stream)).map(({ data }) => data)
  })
}
