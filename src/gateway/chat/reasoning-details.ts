import { countOf, isAbsent, stringOf, type JsonObject } from '../wire/json.ts'
import { requireArray, requireObject } from '../wire/request-json.ts'

/** What a model thought, as an earlier response gave it to the client. */
export interface ReasoningDetail {
  type: 'text' | 'encrypted'
  /** The text, or the sealed data. */
  value: string
  signature: string
  format: string
  model: string
  id: string
  /** How much content text and how many tool calls of the message came before it. */
  textBefore: number
  callsBefore: number
}

export interface ReasoningPlace {
  index: number
  format: string
  model: string
  textBefore: number
  callsBefore: number
}

/** Reads `reasoning_details`; kinds that no adapter rebuilds, such as summaries, are left out. */
export function readReasoningDetails(value: unknown, path: string): ReasoningDetail[] {
  if (isAbsent(value)) return []
  const details: ReasoningDetail[] = []
  let lastIndex: unknown
  for (const [place, item] of requireArray(value, path).entries()) {
    const entry = requireObject(item, `${path}.${place}`)
    const detail = readDetail(entry)
    if (!detail) continue
    const last = details.at(-1)
    // A client that collected a stream may send the fragments of one block one by one.
    const isFragment = last?.type === 'text' && detail.type === 'text' && last.signature === ''
    if (isFragment && entry['index'] === lastIndex) {
      last.value += detail.value
      last.signature = detail.signature
    } else details.push(detail)
    lastIndex = entry['index']
  }
  return details
}

function readDetail(entry: JsonObject): ReasoningDetail | undefined {
  const isText = entry['type'] === 'reasoning.text'
  if (!isText && entry['type'] !== 'reasoning.encrypted') return undefined
  return {
    type: isText ? 'text' : 'encrypted',
    value: stringOf(entry[isText ? 'text' : 'data']),
    signature: stringOf(entry['signature']),
    format: stringOf(entry['format']),
    model: stringOf(entry['model']),
    id: stringOf(entry['id']),
    textBefore: countOf(entry['text_before']),
    callsBefore: countOf(entry['calls_before']),
  }
}

/** An entry of `reasoning_details`; its position among text and calls is given only where it is not the first. */
export function reasoningEntry(content: Record<string, unknown>, place: ReasoningPlace) {
  return {
    ...content,
    format: place.format,
    index: place.index,
    model: place.model,
    ...(place.textBefore > 0 ? { text_before: place.textBefore } : {}),
    ...(place.callsBefore > 0 ? { calls_before: place.callsBefore } : {}),
  }
}
