import assert from 'node:assert/strict'
import type { ChatExchange, Provider } from '../../providers/index.ts'
import { openAiCompatible } from '../../providers/index.ts'
import { arrayOf, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { readBody } from '../../request/body.ts'
import { messages } from './index.ts'

/** For tests: a provider of Chat Completions, which shows the chat request as it was made. */
export const plain: Provider = openAiCompatible({ id: 'own', name: 'Own', prefixes: ['own-'] })

export function ask(body: JsonObject, provider = plain): ChatExchange {
  const whole = {
    model: 'own-model',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello' }],
    ...body,
  }
  const request = messages.read(readBody(Buffer.from(JSON.stringify(whole))), {})
  return messages.exchange(provider, request)
}

/** The chat request that a request becomes. */
export function chatOf(body: JsonObject, provider = plain): JsonObject {
  return objectOf(parseJson(Buffer.from(ask(body, provider).body).toString()))
}

/** The message that a chat completion becomes. */
export function messageOf(completion: JsonObject, body: JsonObject = {}): JsonObject {
  const response = ask(body).response(Buffer.from(JSON.stringify(completion)))
  return objectOf(parseJson(String(response.body)))
}

/** A chat stream of one choice, delta by delta. */
export function chatStream(deltas: readonly JsonObject[], finish = 'stop', usage?: JsonObject): Buffer {
  const chunk = (choices: unknown[], more: JsonObject = {}) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-7', object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const said = deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }]))
  const end = chunk([{ index: 0, delta: {}, finish_reason: finish }])
  const counted = usage ? chunk([], { usage }) : ''
  return Buffer.from(`${said.join('')}${end}${counted}data: [DONE]\n\n`)
}

/** Reads a stream as a client does, and fails on anything that breaks the rules of Messages streams. */
export function collect(stream: string): JsonObject {
  const events = stream.split('\n\n').filter((frame) => frame !== '')
  const parsed = events.map((frame) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? assert.fail(frame)
    const event = objectOf(parseJson(data ?? ''))
    assert.equal(event['type'], name)
    return event
  })
  const [start, ...rest] = parsed
  const [delta, stop] = rest.splice(-2)
  assert.deepEqual(
    [start?.['type'], delta?.['type'], stop?.['type']],
    ['message_start', 'message_delta', 'message_stop'],
  )
  const message = objectOf(start?.['message'])
  assert.deepEqual([message['content'], message['stop_reason']], [[], null])
  const usage = { ...objectOf(message['usage']), ...objectOf(delta?.['usage']) }
  return { ...message, content: contentOf(rest), ...objectOf(delta?.['delta']), usage }
}

/** Blocks follow each other, each started, filled and ended before the next. */
function contentOf(events: readonly JsonObject[]): unknown[] {
  const content: Record<string, unknown>[] = []
  let open: Record<string, unknown> | undefined
  for (const event of events) {
    if (event['type'] === 'content_block_start') {
      assert.ok(!open, 'the block before it has ended')
      assert.equal(event['index'], content.length)
      open = { ...objectOf(event['content_block']) }
      content.push(open)
      continue
    }
    assert.ok(open, 'a block is open')
    assert.equal(event['index'], content.length - 1)
    if (event['type'] === 'content_block_delta') apply(open, objectOf(event['delta']))
    else {
      assert.equal(event['type'], 'content_block_stop')
      if (open['type'] === 'tool_use') finishInput(open)
      open = undefined
    }
  }
  assert.ok(!open, 'the last block has ended')
  return content
}

const fields: Readonly<Record<string, [type: string, field: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['thinking', 'signature'],
}

function apply(block: Record<string, unknown>, delta: JsonObject): void {
  if (delta['type'] === 'input_json_delta') {
    assert.equal(block['type'], 'tool_use')
    block['written'] = stringOf(block['written']) + stringOf(delta['partial_json'])
  } else if (delta['type'] === 'citations_delta') {
    block['citations'] = [...arrayOf(block['citations']), delta['citation']]
  } else {
    const [type, field] = fields[stringOf(delta['type'])] ?? assert.fail(JSON.stringify(delta))
    assert.equal(block['type'], type)
    block[field] = stringOf(block[field]) + stringOf(delta[field])
  }
}

function finishInput(block: Record<string, unknown>): void {
  const { written } = block
  delete block['written']
  block['input'] = written === undefined ? {} : parseJson(stringOf(written))
}
