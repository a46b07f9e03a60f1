import { isObject, objectOf, objectsOf, stringOf, type JsonObject } from './json.ts'

/** Parts of the Gemini API, as Gemini CLI and Qwen Code store them: a string, one part, or several. */
export function partsOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  return isObject(content) ? [content] : objectsOf(withStrings(content))
}

function withStrings(content: unknown): unknown[] {
  return Array.isArray(content)
    ? content.map((part: unknown) => (typeof part === 'string' ? { text: part } : part))
    : []
}

export function contentText(content: unknown): string {
  return partsOf(content)
    .filter((part) => part['thought'] !== true)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== undefined)
    .join('\n')
}

export function contentImages(content: unknown): { mime: string | null; data: string }[] {
  return partsOf(content).flatMap((part) => {
    const inline = objectOf(part['inlineData'])
    const data = stringOf(inline['data'])
    return data === undefined ? [] : [{ mime: stringOf(inline['mimeType']) ?? null, data }]
  })
}

export function hasFunctionResponse(content: unknown): boolean {
  return partsOf(content).some((part) => isObject(part['functionResponse']))
}

/** The text of a tool's result: `response.output`, `response.error`, or the response as JSON. */
export function responseText(content: unknown): string {
  return partsOf(content)
    .map((part) => {
      const { response } = objectOf(part['functionResponse'])
      if (!isObject(response)) return stringOf(part['text']) ?? ''
      return stringOf(response['output']) ?? stringOf(response['error']) ?? JSON.stringify(response)
    })
    .filter((text) => text !== '')
    .join('\n')
}

export function responseImages(content: unknown): { mime: string | null; data: string }[] {
  return partsOf(content).flatMap((part) => [
    ...contentImages(part),
    ...contentImages(objectOf(part['functionResponse'])['parts']),
  ])
}

/** A failing shell command succeeds as a tool: only its text has the exit code. */
export function hasFailedExit(text: string): boolean {
  return /^Exit Code: (?!0\b|\(none\))-?\d+/m.test(text)
}
