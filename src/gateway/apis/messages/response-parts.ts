import { randomUUID } from 'node:crypto'
import { arrayOf, countOf, isObject, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'

/** The first fields of every response, whole or streamed. */
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

/** This API has no block for an image that a model made; the client gets a note instead. */
export function imageNote(message: JsonObject): string {
  const count = arrayOf(message['images']).length
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

/** The web pages that a chat message cites, with the text that cites them. */
export function toCitations(annotations: unknown, text: string): unknown[] {
  return arrayOf(annotations).flatMap((item) => {
    const { url_citation: citation } = objectOf(item)
    if (!isObject(citation) || stringOf(citation['url']) === '') return []
    const end = countOf(citation['end_index'])
    return [
      {
        type: 'web_search_result_location',
        url: stringOf(citation['url']),
        title: stringOf(citation['title']) || null,
        cited_text: text.slice(countOf(citation['start_index']), end),
        encrypted_index: '',
      },
    ]
  })
}
