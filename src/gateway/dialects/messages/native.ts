import { invalid } from '#kernel/errors'
import { isObject, listOf } from '../../providers/json.ts'
import { edit } from '../../providers/same-wire/edit.ts'
import type { ClientRequest } from '../dialect.ts'
import { isSealed, mayHoldSeal } from '../sealed-reasoning.ts'

/**
 * The bytes for a provider that speaks this form: those that came. Only thinking that the gateway sealed for another
 * provider is taken out, since a conversation may change models and this one would refuse a signature not its own.
 */
export function nativeBytes({ raw, body }: ClientRequest): Uint8Array {
  if (!mayHoldSeal(raw)) return raw
  const said = listOf(body['messages'])
  const messages = said.flatMap(withoutSeals)
  if (messages.every((message, index) => message === said[index])) return raw
  try {
    return edit(raw, body, { set: { messages } })
  } catch (error) {
    if (error instanceof RangeError) throw invalid('The request is nested too deeply.')
    throw error
  }
}

function withoutSeals(message: unknown): unknown[] {
  if (!isObject(message) || !Array.isArray(message['content'])) return [message]
  const content = message['content'].filter((block) => !isForeignThinking(block))
  if (content.length === message['content'].length) return [message]
  return content.length === 0 ? [] : [{ ...message, content }]
}

function isForeignThinking(block: unknown): boolean {
  if (!isObject(block)) return false
  const { type, signature, data } = block
  return (type === 'thinking' && isSealed(signature)) || (type === 'redacted_thinking' && isSealed(data))
}
