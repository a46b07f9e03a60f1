import { slices } from '../completion.ts'
import type { Completion } from '../completion.ts'
import { objectsOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { namedEvent } from '../sse.ts'

type Emit = (type: string, fields: JsonObject) => string

/** The event sequence of a finished response; no `[DONE]` at its end. */
export function* renderResponseStream(response: JsonObject, completion: Completion): Iterable<string> {
  let sequence = 0
  const emit: Emit = (type, fields) => {
    const event = namedEvent(type, { type, sequence_number: sequence, ...fields })
    sequence += 1
    return event
  }
  const begun = { ...response, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  yield emit('response.created', { response: begun })
  yield emit('response.in_progress', { response: begun })
  for (const [index, item] of objectsOf(response['output']).entries()) {
    yield emit('response.output_item.added', { output_index: index, item: opened(item) })
    const at = { item_id: item['id'], output_index: index }
    if (item['type'] === 'reasoning') yield* summaryEvents(emit, item, at)
    if (item['type'] === 'message') yield* messageEvents(emit, item, at, completion)
    if (item['type'] === 'function_call') yield* callEvents(emit, item, at)
    yield emit('response.output_item.done', { output_index: index, item })
  }
  yield emit(`response.${stringOf(response['status'])}`, { response })
}

function opened(item: JsonObject): JsonObject {
  if (item['type'] === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item['type'] === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  return { ...item, summary: [] }
}

function* summaryEvents(emit: Emit, item: JsonObject, at: JsonObject): Iterable<string> {
  for (const [index, part] of objectsOf(item['summary']).entries()) {
    const where = { ...at, summary_index: index }
    const text = stringOf(part['text'])
    yield emit('response.reasoning_summary_part.added', {
      ...where,
      part: { type: 'summary_text', text: '' },
    })
    for (const delta of slices(text, 16)) {
      yield emit('response.reasoning_summary_text.delta', { ...where, delta })
    }
    yield emit('response.reasoning_summary_text.done', { ...where, text })
    yield emit('response.reasoning_summary_part.done', { ...where, part })
  }
}

function* messageEvents(
  emit: Emit,
  item: JsonObject,
  at: JsonObject,
  completion: Completion,
): Iterable<string> {
  const part = objectsOf(item['content'])[0] ?? {}
  const where = { ...at, content_index: 0 }
  if (part['type'] === 'refusal') {
    yield emit('response.content_part.added', { ...where, part: { type: 'refusal', refusal: '' } })
    yield emit('response.refusal.delta', { ...where, delta: part['refusal'] })
    yield emit('response.refusal.done', { ...where, refusal: part['refusal'] })
  } else {
    yield emit('response.content_part.added', { ...where, part: { ...part, text: '' } })
    for (const delta of completion.pieces()) {
      yield emit('response.output_text.delta', { ...where, delta, logprobs: [], obfuscation: 'x7Kq' })
    }
    yield emit('response.output_text.done', { ...where, text: part['text'], logprobs: [] })
  }
  yield emit('response.content_part.done', { ...where, part })
}

function* callEvents(emit: Emit, item: JsonObject, at: JsonObject): Iterable<string> {
  for (const delta of slices(stringOf(item['arguments']), 10)) {
    yield emit('response.function_call_arguments.delta', { ...at, delta, obfuscation: 'p2Rw' })
  }
  yield emit('response.function_call_arguments.done', { ...at, arguments: item['arguments'] })
}
