import { arrayOf, isObject, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
import type { KeptReasoning } from '../sealed-reasoning.ts'
import { newId, type Status } from './envelope.ts'
import { customInput, type Target } from './targets.ts'

// The items of which the output of a response consists.

/** Takes what is kept for the provider, if anything is. */
export function reasoningItem(id: string, text: string, kept?: KeptReasoning): JsonObject {
  return {
    id,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(kept && !kept.isEmpty ? { encrypted_content: kept.take() } : {}),
  }
}

export function textPart(
  text: string,
  annotations: readonly unknown[],
  logprobs: readonly unknown[],
): JsonObject {
  return { type: 'output_text', text, annotations, logprobs }
}

export function refusalPart(refusal: string): JsonObject {
  return { type: 'refusal', refusal }
}

export function messageItem(id: string, status: Status, content: readonly JsonObject[]): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content }
}

export interface Call extends Target {
  readonly id: string
  readonly callId: string
  readonly arguments: string
}

export function callItem(call: Call, status: Status): JsonObject {
  const { id, callId, name, namespace, arguments: args } = call
  const group = namespace === undefined ? {} : { namespace }
  const head = { id, call_id: callId, name, ...group }
  if (call.isCustom) return { ...head, type: 'custom_tool_call', input: customInput(args) }
  return { ...head, type: 'function_call', status, arguments: args }
}

export function newCallId({ isCustom }: Target): string {
  return newId(isCustom ? 'ctc' : 'fc')
}

/** An image that the model made; undefined for one that is not given as data. */
export function imageItem(image: unknown): JsonObject | undefined {
  const url = stringOf(objectOf(objectOf(image)['image_url'])['url'])
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma < 0) return undefined
  return { id: newId('ig'), type: 'image_generation_call', status: 'completed', result: url.slice(comma + 1) }
}

/** Citations of the text that begins at `offset` of the whole; chat completions nest what responses do not. */
export function toAnnotations(annotations: unknown, offset = 0): JsonObject[] {
  return arrayOf(annotations).flatMap((each) => {
    const { type, url_citation: citation } = objectOf(each)
    if (type !== 'url_citation' || !isObject(citation)) return []
    const place = (index: unknown) => Math.max(0, Number(index ?? 0) - offset)
    const { url, title, start_index: start, end_index: end } = citation
    const where = { start_index: place(start), end_index: place(end) }
    return [{ type, ...where, url: stringOf(url), title: stringOf(title) }]
  })
}
