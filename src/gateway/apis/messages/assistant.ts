import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../../wire/json.ts'
import { requireArray, requireObject, requireString, toJson } from '../../wire/request-json.ts'
import { unseal, withExtras } from '../sealed-reasoning.ts'
import { cacheControlOf, withCacheControl } from './cache-control.ts'
import type { ChatMessage, RequestContext, TextPart } from './context.ts'
import { textContent, textPart } from './parts.ts'

/** Collects the blocks of one assistant message as the parts of a chat message. */
class AssistantParts {
  readonly texts: TextPart[] = []
  /** Thinking from a provider that wants nothing back for it. */
  unsealedThinking = ''
  readonly calls: JsonObject[] = []
  readonly details: unknown[] = []
  readonly extras = new Map<string, JsonObject>()
  readonly #context: RequestContext

  constructor(context: RequestContext) {
    this.#context = context
  }

  read(block: JsonObject, path: string): void {
    if (block['type'] !== 'text') cacheControlOf(block, path, undefined, this.#context)
    switch (block['type']) {
      case 'text':
        return this.#addText(block, path)
      case 'tool_use':
        return this.#addCall(block, path)
      case 'thinking':
        return this.#addThinking(block, requireString(block['signature'], `${path}.signature`))
      case 'redacted_thinking':
        return this.#addThinking(block, requireString(block['data'], `${path}.data`))
      default:
        throw invalidField(
          `${path}.type`,
          'must be text, tool_use or thinking in an assistant message for this model',
        )
    }
  }

  #addText(block: JsonObject, path: string): void {
    const text = requireString(block['text'], `${path}.text`)
    this.texts.push(...withCacheControl([textPart(text)], block, path, this.#context))
  }

  #addCall(block: JsonObject, path: string): void {
    const name = requireString(block['name'], `${path}.name`)
    const input = isAbsent(block['input']) ? {} : requireObject(block['input'], `${path}.input`)
    this.calls.push({
      id: requireString(block['id'], `${path}.id`),
      type: 'function',
      function: { name: this.#context.names.toProvider(name), arguments: toJson(input) },
    })
  }

  /** Thinking of another provider's model means nothing to this one. */
  #addThinking(block: JsonObject, signature: string): void {
    const kept = unseal(signature, this.#context.providerId)
    if (!kept) {
      this.#context.dropped.add('messages.content.thinking')
      return
    }
    this.details.push(...kept.details)
    for (const [id, extra] of kept.extras) this.extras.set(id, extra)
    if (kept.details.length === 0 && typeof block['thinking'] === 'string')
      this.unsealedThinking += block['thinking']
  }
}

export function readAssistant(content: unknown, path: string, context: RequestContext): ChatMessage[] {
  const message = new AssistantParts(context)
  if (typeof content === 'string') message.texts.push(textPart(content))
  else {
    for (const [index, item] of requireArray(content, path).entries()) {
      message.read(requireObject(item, `${path}.${index}`), `${path}.${index}`)
    }
  }
  const { calls, details, extras, unsealedThinking } = message
  const texts = message.texts.filter(({ text }) => text !== '')
  // Providers refuse an assistant message without text and calls.
  if (texts.length === 0 && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : textContent(texts, '', context),
      ...(calls.length > 0 ? { tool_calls: withExtras(calls, extras) } : {}),
      ...(details.length > 0 ? { reasoning_details: details } : {}),
      ...(details.length === 0 && unsealedThinking !== '' ? { reasoning_content: unsealedThinking } : {}),
    },
  ]
}
