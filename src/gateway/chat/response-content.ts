import { arrayOf, objectOf, stringOf, type JsonObject } from '../wire/json.ts'

/** What a message says. Content is a string; a few servers send an array of typed parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return arrayOf(content)
    .map((part) => stringOf(objectOf(part)['text']))
    .join('')
}

/** What the model thought; where both fields for it are sent, they hold the same text. */
export function reasoningText(message: JsonObject): string {
  return (
    stringOf(message['reasoning_content']) ||
    stringOf(message['reasoning']) ||
    arrayOf(message['content']).map(thinkingIn).join('')
  )
}

/** A part `{ type: 'thinking', thinking }`, whose text is a string or parts again. */
function thinkingIn(part: unknown): string {
  const { thinking } = objectOf(part)
  return contentText(thinking)
}
