import { isObject, objectOf, stringOf } from '../../wire/json.ts'

/** A part of a response. */
export type ResponsePart =
  | { kind: 'thought'; text: string }
  | { kind: 'text'; text: string; signature: string }
  | { kind: 'call'; id: string; name: string; arguments: string; signature: string }
  | { kind: 'image'; url: string }

/** Undefined for parts that have no place in a chat completion, such as code that Google ran itself. */
export function readResponsePart(value: unknown): ResponsePart | undefined {
  const part = objectOf(value)
  const signature = stringOf(part['thoughtSignature'])
  const { functionCall: call, inlineData: data } = part
  if (isObject(call)) {
    const args = JSON.stringify(call['args'] ?? {})
    return {
      kind: 'call',
      id: stringOf(call['id']),
      name: stringOf(call['name']),
      arguments: args,
      signature,
    }
  }
  if (typeof part['text'] === 'string') {
    return part['thought'] === true
      ? { kind: 'thought', text: part['text'] }
      : { kind: 'text', text: part['text'], signature }
  }
  if (!isObject(data) || !stringOf(data['mimeType']).startsWith('image/')) return undefined
  return { kind: 'image', url: `data:${stringOf(data['mimeType'])};base64,${stringOf(data['data'])}` }
}

export function imageEntry(url: string) {
  return { type: 'image_url', image_url: { url } }
}
