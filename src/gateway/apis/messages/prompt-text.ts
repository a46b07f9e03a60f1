import { isObject, type JsonObject } from '../../wire/json.ts'

const textFields = ['text', 'content', 'thinking', 'title', 'context']
/** Deeper than any block of a request; what lies below is no text of anybody. */
const deepest = 16

/** The text of a conversation, without pictures and files. */
export function promptText(body: JsonObject): string {
  const parts: string[] = []
  const collect = (value: unknown, depth: number): void => {
    if (depth > deepest) return
    if (typeof value === 'string') parts.push(value)
    else if (Array.isArray(value)) for (const one of value) collect(one, depth + 1)
    else if (isObject(value)) {
      for (const name of textFields) collect(value[name], depth + 1)
      if (isObject(value['input'])) parts.push(JSON.stringify(value['input']))
      collect(sourceText(value['source']), depth + 1)
    }
  }
  collect(body['system'], 0)
  collect(body['messages'], 0)
  if (body['tools'] !== undefined) parts.push(JSON.stringify(body['tools']))
  return parts.join('\n')
}

/** What of a document is text. */
function sourceText(source: unknown): unknown {
  if (!isObject(source)) return undefined
  return source['type'] === 'text'
    ? source['data']
    : source['type'] === 'content'
      ? source['content']
      : undefined
}
