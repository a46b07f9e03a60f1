import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../../wire/json.ts'
import { requireArray, requireObject, requireString, toJson } from '../../wire/request-json.ts'
import { unseal, withExtras } from '../sealed-reasoning.ts'
import type { ChatMessage, Translation } from './conversation.ts'
import { markOf, marked } from './marks.ts'
import { textContent, textPart } from './parts.ts'
import type { TextPart } from './parts.ts'

/** What the blocks of one assistant message say, in the parts of a chat message. */
class Spoken {
  readonly texts: TextPart[] = []
  /** Thinking that its provider told without anything to hand back. */
  bareThoughts = ''
  readonly calls: JsonObject[] = []
  readonly details: unknown[] = []
  readonly extras = new Map<string, JsonObject>()
  readonly #how: Translation

  constructor(how: Translation) {
    this.#how = how
  }

  read(block: JsonObject, path: string): void {
    if (block['type'] !== 'text') markOf(block, path, undefined, this.#how)
    switch (block['type']) {
      case 'text':
        return this.#say(block, path)
      case 'tool_use':
        return this.#call(block, path)
      case 'thinking':
        return this.#think(block, requireString(block['signature'], `${path}.signature`))
      case 'redacted_thinking':
        return this.#think(block, requireString(block['data'], `${path}.data`))
      default:
        throw invalidField(
          `${path}.type`,
          'must be text, tool_use or thinking in an assistant message for this model',
        )
    }
  }

  #say(block: JsonObject, path: string): void {
    const text = requireString(block['text'], `${path}.text`)
    this.texts.push(...marked([textPart(text)], block, path, this.#how))
  }

  #call(block: JsonObject, path: string): void {
    const name = requireString(block['name'], `${path}.name`)
    const input = isAbsent(block['input']) ? {} : requireObject(block['input'], `${path}.input`)
    this.calls.push({
      id: requireString(block['id'], `${path}.id`),
      type: 'function',
      function: { name: this.#how.names.toProvider(name), arguments: toJson(input) },
    })
  }

  /** Thinking of another provider's model means nothing to this one. */
  #think(block: JsonObject, signature: string): void {
    const kept = unseal(signature, this.#how.providerId)
    if (!kept) {
      this.#how.dropped.add('messages.content.thinking')
      return
    }
    this.details.push(...kept.details)
    for (const [id, extra] of kept.extras) this.extras.set(id, extra)
    if (kept.details.length === 0 && typeof block['thinking'] === 'string')
      this.bareThoughts += block['thinking']
  }
}

export function readAssistant(content: unknown, path: string, how: Translation): ChatMessage[] {
  const spoken = new Spoken(how)
  if (typeof content === 'string') spoken.texts.push(textPart(content))
  else {
    for (const [index, item] of requireArray(content, path).entries()) {
      spoken.read(requireObject(item, `${path}.${index}`), `${path}.${index}`)
    }
  }
  const { calls, details, extras, bareThoughts } = spoken
  const texts = spoken.texts.filter(({ text }) => text !== '')
  // Nothing said and nothing called: an empty turn that providers refuse.
  if (texts.length === 0 && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : textContent(texts, '', how),
      ...(calls.length > 0 ? { tool_calls: withExtras(calls, extras) } : {}),
      ...(details.length > 0 ? { reasoning_details: details } : {}),
      ...(details.length === 0 && bareThoughts !== '' ? { reasoning_content: bareThoughts } : {}),
    },
  ]
}
