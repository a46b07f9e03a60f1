import { arrayOf, isObject, objectOf, stringOf, type JsonObject } from '../../../wire/json.ts'
import { reasoningDetails, summariesOf } from './reasoning.ts'

/** What a response says, in the parts of a chat message. */
export interface ResponseOutput {
  readonly text: string
  readonly hasText: boolean
  readonly refusal: string | null
  readonly reasoning: string
  readonly reasoningDetails: JsonObject[]
  readonly calls: JsonObject[]
  readonly annotations: JsonObject[]
}

export function readOutput(output: unknown): ResponseOutput {
  const items = arrayOf(output).filter(isObject)
  const parts = items
    .filter((item) => item['type'] === 'message')
    .flatMap((item) => arrayOf(item['content']).map(objectOf))
  const texts = parts.filter((part) => part['type'] === 'output_text')
  const refusals = parts.filter((part) => part['type'] === 'refusal').map((part) => stringOf(part['refusal']))
  const thoughts = items.filter((item) => item['type'] === 'reasoning')
  const details: JsonObject[] = []
  for (const item of thoughts) details.push(...reasoningDetails(item, details.length))
  return {
    text: texts.map((part) => stringOf(part['text'])).join(''),
    hasText: texts.length > 0,
    refusal: refusals.length > 0 ? refusals.join('') : null,
    reasoning: thoughts.flatMap(summariesOf).join('\n\n'),
    reasoningDetails: details,
    calls: items.map(toolCall).filter((call) => call !== undefined),
    annotations: annotationsOf(texts),
  }
}

/** A call as chat completions show it: its id is the call's, not the item's. Undefined for any other item. */
export function toolCall(item: JsonObject): JsonObject | undefined {
  const id = stringOf(item['call_id'])
  const name = stringOf(item['name'])
  if (item['type'] === 'custom_tool_call')
    return { id, type: 'custom', custom: { name, input: stringOf(item['input']) } }
  if (item['type'] !== 'function_call') return undefined
  const signature = item['thought_signature']
  return {
    id,
    type: 'function',
    // No arguments at all is no JSON; clients parse this text.
    function: { name, arguments: stringOf(item['arguments']) || '{}' },
    ...(typeof signature === 'string' ? { extra_content: { google: { thought_signature: signature } } } : {}),
  }
}

/** Web citations, moved to the position of their text in the joined content; other kinds have no counterpart. */
function annotationsOf(texts: readonly JsonObject[]): JsonObject[] {
  let offset = 0
  return texts.flatMap((part) => {
    const before = offset
    offset += stringOf(part['text']).length
    return arrayOf(part['annotations'])
      .map(objectOf)
      .filter((each) => each['type'] === 'url_citation')
      .map((each) =>
        citation(each, before + Number(each['start_index'] ?? 0), before + Number(each['end_index'] ?? 0)),
      )
  })
}

export function citation(source: JsonObject, start: number, end: number): JsonObject {
  const { url, title } = source
  return {
    type: 'url_citation',
    url_citation: { url: stringOf(url), title: stringOf(title), start_index: start, end_index: end },
  }
}
