import { randomUUID } from 'node:crypto'
import { countOf } from '../../chat/json.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import { isObject, listOf, objectOf, textOf } from '../../wire/json.ts'
import type { JsonObject } from '../../wire/json.ts'

/** What it takes to tell a chat answer in this form. */
export interface AnswerContext {
  providerId: string
  providerName: string
  /** The name the client used. */
  model: string
  names: ToolNames
  hidesThinking: boolean
  stops: readonly string[]
}

/** The beginning of every answer, whole or streamed. */
export function messageHead(id: string, model: string) {
  const own = id.replace(/^chatcmpl-/, '') || randomUUID().replaceAll('-', '')
  return {
    id: own.startsWith('msg_') ? own : `msg_${own}`,
    type: 'message',
    role: 'assistant',
    model,
    container: null,
  }
}

/** Where both names for reasoning are sent, they hold the same text. */
export function reasoningIn(message: JsonObject): string {
  return textOf(message['reasoning_content']) || textOf(message['reasoning'])
}

/** This form has no block for a picture that a model made; its reader must at least learn of it. */
export function imageNote(message: JsonObject): string {
  const count = listOf(message['images']).length
  return count === 0 ? '' : `[${count} image(s) made by the model cannot be shown here]`
}

export function toolUse(id: string, name: string, input: unknown) {
  return {
    type: 'tool_use',
    id: id || `toolu_${randomUUID().replaceAll('-', '')}`,
    name,
    input,
    caller: { type: 'direct' },
  }
}

/** Web pages that chat names as sources of a text, given the text they stand in. */
export function toCitations(annotations: unknown, text: string): unknown[] {
  return listOf(annotations).flatMap((item) => {
    const { url_citation: citation } = objectOf(item)
    if (!isObject(citation) || textOf(citation['url']) === '') return []
    const end = countOf(citation['end_index']) ?? 0
    return [
      {
        type: 'web_search_result_location',
        url: textOf(citation['url']),
        title: textOf(citation['title']) || null,
        cited_text: text.slice(countOf(citation['start_index']) ?? 0, end),
        encrypted_index: '',
      },
    ]
  })
}
