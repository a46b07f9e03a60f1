import { slices } from '../completion.ts'
import type { Completion } from '../completion.ts'
import { parseJson } from '../json.ts'
import { namedEvent } from '../sse.ts'

export interface Rendering {
  id: string
  model: string
  signature: string
  /** The model thinks, even where its thoughts come back empty. */
  thinks: boolean
  shown: boolean
  longCache: boolean
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const

function ending(completion: Completion) {
  const natural = completion.stopSequence === null ? stopReasons[completion.finish] : 'stop_sequence'
  const details =
    completion.finish === 'content_filter'
      ? { type: 'refusal', category: null, explanation: completion.refusal }
      : null
  return {
    stop_reason: completion.nativeFinish ?? natural,
    stop_sequence: completion.stopSequence,
    stop_details: details,
  }
}

/** Anthropic's input_tokens leave out what the cache has read and written. */
function usage(completion: Completion, longCache: boolean) {
  const { input, cached, cacheWrite, output, reasoning } = completion.usage
  return {
    input_tokens: input - cached - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation: {
      ephemeral_5m_input_tokens: longCache ? 0 : cacheWrite,
      ephemeral_1h_input_tokens: longCache ? cacheWrite : 0,
    },
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: 'not_available',
  }
}

export function renderMessage(completion: Completion, how: Rendering): unknown {
  const thinking = how.shown ? completion.reasoning : ''
  return {
    model: how.model,
    id: how.id,
    type: 'message',
    role: 'assistant',
    content: [
      ...(how.thinks ? [{ type: 'thinking', thinking, signature: how.signature }] : []),
      ...(completion.text === '' ? [] : [{ type: 'text', text: completion.text }]),
      ...completion.calls.map((call) => ({
        type: 'tool_use',
        id: call.id,
        name: call.name,
        input: parseJson(call.arguments) ?? {},
      })),
    ],
    ...ending(completion),
    usage: usage(completion, how.longCache),
  }
}

export function* renderStream(completion: Completion, how: Rendering): Iterable<string> {
  const whole = usage(completion, how.longCache)
  const message = {
    model: how.model,
    id: how.id,
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: { ...whole, output_tokens: 1, output_tokens_details: null },
  }
  yield namedEvent('message_start', { type: 'message_start', message })
  let index = 0
  for (const block of blocks(completion, how)) {
    yield namedEvent('content_block_start', {
      type: 'content_block_start',
      index,
      content_block: block.start,
    })
    if (index === 0) yield namedEvent('ping', { type: 'ping' })
    for (const delta of block.deltas) {
      yield namedEvent('content_block_delta', { type: 'content_block_delta', index, delta })
    }
    yield namedEvent('content_block_stop', { type: 'content_block_stop', index })
    index += 1
  }
  yield namedEvent('message_delta', {
    type: 'message_delta',
    delta: ending(completion),
    usage: {
      input_tokens: whole.input_tokens,
      cache_creation_input_tokens: whole.cache_creation_input_tokens,
      cache_read_input_tokens: whole.cache_read_input_tokens,
      output_tokens: whole.output_tokens,
      output_tokens_details: whole.output_tokens_details,
    },
  })
  yield namedEvent('message_stop', { type: 'message_stop' })
}

function* blocks(
  completion: Completion,
  how: Rendering,
): Iterable<{ start: unknown; deltas: Iterable<unknown> }> {
  if (how.thinks) {
    yield {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: thinkingDeltas(how.shown ? completion.reasoning : '', how.signature),
    }
  }
  if (completion.text !== '') {
    yield { start: { type: 'text', text: '' }, deltas: textDeltas(completion.pieces()) }
  }
  for (const call of completion.calls) {
    yield {
      start: { type: 'tool_use', id: call.id, name: call.name, input: {} },
      deltas: argumentDeltas(call.arguments),
    }
  }
}

function* thinkingDeltas(thinking: string, signature: string): Iterable<unknown> {
  for (const piece of slices(thinking, 16)) yield { type: 'thinking_delta', thinking: piece }
  yield { type: 'signature_delta', signature }
}

function* textDeltas(pieces: Iterable<string>): Iterable<unknown> {
  for (const text of pieces) yield { type: 'text_delta', text }
}

/** The first piece is empty, and a call without arguments has no other. */
function* argumentDeltas(text: string): Iterable<unknown> {
  yield { type: 'input_json_delta', partial_json: '' }
  if (text === '{}') return
  for (const piece of slices(text, 12)) yield { type: 'input_json_delta', partial_json: piece }
}
