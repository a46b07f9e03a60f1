import assert from 'node:assert/strict'
import { Fault } from '#kernel/errors'
import type { ChatExchange, ChatRequest, Provider, StreamReader } from '../provider.ts'
import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../wire/json.ts'

/** What the adapters' tests have in common: requests as the gateway makes them, and a strict reader of streams. */
export function chatRequest(body: JsonObject): ChatRequest {
  const model = stringOf(body['model'])
  return {
    // Translating adapters never look at the bytes.
    raw: new Uint8Array(),
    model,
    requestedModel: model,
    isStream: body['stream'] === true,
    wantsUsage: objectOf(body['stream_options'])['include_usage'] === true,
    body,
  }
}

export function exchangeOf(provider: Provider, body: JsonObject): ChatExchange {
  return provider.chat(chatRequest(body))
}

/** The upstream request that a client's request becomes. */
export function upstreamOf(provider: Provider, body: JsonObject): JsonObject {
  return objectOf(parseJson(String(exchangeOf(provider, body).body)))
}

export function faultOf(attempt: () => unknown): Fault {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  return assert.fail('nothing was refused')
}

/** Speaks to the fake provider as the gateway's transport does. */
export async function send(provider: Provider, baseUrl: string, body: JsonObject): Promise<Upstream> {
  const exchange = exchangeOf(provider, body)
  const { headers, query } = provider.credentials('a-good-key')
  const url = `${baseUrl}${exchange.path}?${new URLSearchParams({ ...exchange.query, ...query }).toString()}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...exchange.headers },
    body: exchange.body,
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const responseHeaders = Object.fromEntries(response.headers)
  return { exchange, status: response.status, headers: responseHeaders, bytes }
}

export interface Upstream {
  exchange: ChatExchange
  status: number
  headers: Record<string, string>
  bytes: Uint8Array
}

/** A whole response of the fake provider, which must have accepted the request. */
export async function complete(provider: Provider, baseUrl: string, body: JsonObject): Promise<JsonObject> {
  const { exchange, status, bytes } = await send(provider, baseUrl, body)
  assert.equal(status, 200, Buffer.from(bytes).toString())
  return objectOf(parseJson(String(exchange.response(bytes).body)))
}

export function messageOf(response: JsonObject): JsonObject {
  return objectOf(objectOf(arrayOf(response['choices'])[0])['message'])
}

export function readAll(reader: StreamReader, pieces: Iterable<Uint8Array>): string {
  let out = ''
  for (const piece of pieces) out += String(reader.push(piece))
  return out + String(reader.end())
}

/** Small and repeatable: the same seed gives the same numbers. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function* cutAnywhere(bytes: Uint8Array, random: (below: number) => number): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + random(random(4) === 0 ? 200 : 7)
    yield bytes.subarray(start, end)
    start = end
  }
}

/** The creation time is the one thing that may differ between two readings. */
export function withoutTime(stream: string): string {
  return stream.replaceAll(/"created":\d+/g, '"created":0')
}

export interface Collected {
  message: Record<string, unknown>
  finishReason: string
  usage: JsonObject | undefined
}

/** Reads a stream as a client does, and fails on anything that breaks the rules of chat-completion streams. */
export function collect(stream: string, wantsUsage = false): Collected {
  const frames = stream.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'))
  assert.equal(frames.at(-1), 'data: [DONE]')
  const chunks = frames.slice(0, -1).map((frame) => {
    assert.ok(frame.startsWith('data: {'), frame)
    return objectOf(JSON.parse(frame.slice('data: '.length)))
  })
  for (const field of ['id', 'object', 'created', 'model']) {
    assert.equal(new Set(chunks.map((chunk) => chunk[field])).size, 1, `${field} is the same in every chunk`)
  }
  const last = chunks.at(-1)
  const usage =
    wantsUsage && last && arrayOf(last['choices']).length === 0 ? objectOf(last['usage']) : undefined
  assert.equal(usage !== undefined, wantsUsage)
  const spoken = usage ? chunks.slice(0, -1) : chunks
  for (const chunk of spoken)
    assert.equal('usage' in chunk ? chunk['usage'] : undefined, wantsUsage ? null : undefined)
  const choices = spoken.map((chunk) => objectOf(arrayOf(chunk['choices'])[0]))
  assert.deepEqual(choices[0]?.['delta'], { role: 'assistant', content: '' })
  const reasons = choices.map((choice) => choice['finish_reason']).filter((reason) => reason !== null)
  assert.equal(reasons.length, 1)
  assert.equal(choices.at(-1)?.['finish_reason'], reasons[0])
  assert.deepEqual(choices.at(-1)?.['delta'], {})
  const message = joinDeltas(choices.map((choice) => objectOf(choice['delta'])))
  return { message, finishReason: stringOf(reasons[0]), usage }
}

function joinDeltas(deltas: readonly JsonObject[]): Record<string, unknown> {
  const message: Record<string, unknown> = {}
  const calls: { id: unknown; type: unknown; function: { name: unknown; arguments: string } }[] = []
  for (const delta of deltas) {
    for (const [field, value] of Object.entries(delta)) {
      if (field === 'tool_calls') for (const call of arrayOf(value)) joinCall(calls, objectOf(call))
      else if (field === 'role') message[field] = value
      else if (typeof value === 'string') message[field] = stringOf(message[field]) + value
      else if (Array.isArray(value)) message[field] = [...arrayOf(message[field]), ...(value as unknown[])]
      else if (isObject(value)) message[field] = value
    }
  }
  if (calls.length > 0) message['tool_calls'] = calls
  return message
}

function joinCall(
  calls: { id: unknown; type: unknown; function: { name: unknown; arguments: string } }[],
  call: JsonObject,
): void {
  const { index, id, type, function: target, ...more } = call
  const { name, arguments: text } = objectOf(target)
  const known = calls[Number(index)]
  if (known) {
    assert.equal(id ?? name, undefined, 'id and name come once: clients append what they get')
    known.function.arguments += stringOf(text)
    return
  }
  assert.equal(index, calls.length, 'calls are numbered from 0 without a gap')
  assert.ok(typeof id === 'string' && id !== '' && typeof name === 'string')
  calls.push({ id, type, function: { name, arguments: stringOf(text) }, ...more })
}
