import { invalid } from '#kernel/errors'
import { arrayOf, bufferOf, isObject, objectOf } from '../../wire/json.ts'
import { edit } from '../../passthrough/edit.ts'
import type { ClientRequest } from '../../api.ts'
import { isSealed, mayHoldSeal } from '../sealed-reasoning.ts'

/**
 * The bytes for a provider of the Messages API: those of the client. Only thinking that the gateway sealed for another
 * provider and sources that it added for one are removed: a conversation may change models, and this provider would
 * refuse a foreign signature and an empty text.
 */
export function passthroughBytes({ raw, body }: ClientRequest): Uint8Array {
  if (!mayHoldSeal(raw) && !bufferOf(raw).includes('"encrypted_index"')) return raw
  const said = arrayOf(body['messages'])
  const messages = said.flatMap(withoutForeign)
  if (messages.every((message, index) => message === said[index])) return raw
  try {
    return edit(raw, body, { set: { messages } })
  } catch (error) {
    if (error instanceof RangeError) throw invalid('The request is nested too deeply.')
    throw error
  }
}

function withoutForeign(message: unknown): unknown[] {
  if (!isObject(message) || !Array.isArray(message['content'])) return [message]
  const { content: said } = message
  const content = said.filter((block) => !isForeignThinking(block)).flatMap(withoutForeignSources)
  if (content.length === said.length && content.every((block, index) => block === said[index]))
    return [message]
  return content.length === 0 ? [] : [{ ...message, content }]
}

function isForeignThinking(block: unknown): boolean {
  if (!isObject(block)) return false
  const { type, signature, data } = block
  return (type === 'thinking' && isSealed(signature)) || (type === 'redacted_thinking' && isSealed(data))
}

/** Anthropic gives each of its sources an encrypted index; those of other providers have none. */
function withoutForeignSources(block: unknown): unknown[] {
  if (!isObject(block) || block['type'] !== 'text' || !Array.isArray(block['citations'])) return [block]
  const citations = block['citations'].filter((each) => objectOf(each)['encrypted_index'] !== '')
  if (citations.length === block['citations'].length) return [block]
  if (block['text'] === '') return []
  return [{ ...block, citations: citations.length > 0 ? citations : null }]
}
