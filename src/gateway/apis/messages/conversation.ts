import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../../wire/json.ts'
import { requireArray, requireObject, requireString } from '../../wire/request-json.ts'
import { mediaFollow, mediaLabel } from '../result-media.ts'
import { readAssistant } from './assistant.ts'
import { cacheControlOf, withCacheControl } from './cache-control.ts'
import type { ChatMessage, ChatPart, RequestContext, TextPart } from './context.ts'
import { blockParts, noteCitations, textContent, textPart, textParts, toParts } from './parts.ts'

export interface ChatConversation {
  messages: ChatMessage[]
  /** For each chat message, the field of the request it was made from. */
  origins: string[]
}

/** System and messages as chat messages. One message with results becomes several, so their places are kept. */
export function toConversation(body: JsonObject, context: RequestContext): ChatConversation {
  const conversation: ChatConversation = { messages: [], origins: [] }
  const add = (path: string, messages: readonly ChatMessage[]): void => {
    for (const message of messages) place(conversation, message, path)
  }
  if (!isAbsent(body['system'])) add('system', systemMessage(body['system'], 'system', context))
  const list = requireArray(body['messages'], 'messages')
  for (const [index, item] of list.entries()) {
    const path = `messages.${index}`
    add(path, readMessage(requireObject(item, path), path, context))
  }
  refuseContinuation(list)
  return conversation
}

/** Tool results must directly follow the calls, whatever the user says between them. */
function place({ messages, origins }: ChatConversation, message: ChatMessage, path: string): void {
  let index = messages.length
  if (message['role'] === 'tool') while (messages[index - 1]?.['role'] === 'user') index--
  messages.splice(index, 0, message)
  origins.splice(index, 0, path)
}

function readMessage(message: JsonObject, path: string, context: RequestContext): ChatMessage[] {
  const { content } = message
  switch (message['role']) {
    case 'user':
      return readUser(content, `${path}.content`, context)
    case 'assistant':
      return readAssistant(content, `${path}.content`, context)
    case 'system':
      return systemMessage(content, `${path}.content`, context)
    default:
      throw invalidField(`${path}.role`, 'must be user, assistant or system')
  }
}

function systemMessage(content: unknown, path: string, context: RequestContext): ChatMessage[] {
  const texts = textParts(content, path, context)
  if (texts.every(({ text }) => text.trim() === '')) return []
  return [{ role: 'system', content: textContent(texts, '\n\n', context) }]
}

/** Results come first, each as its own message, then the rest of the user's content. */
function readUser(content: unknown, path: string, context: RequestContext): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content: contentOf([textPart(content)], context) }]
  const results: ChatMessage[] = []
  const parts: ChatPart[] = []
  for (const [index, item] of requireArray(content, path).entries()) {
    const place = `${path}.${index}`
    const block = requireObject(item, place)
    if (block['type'] === 'tool_result') {
      const { message, media } = readResult(block, place, context)
      results.push(message)
      parts.push(...media)
    } else parts.push(...blockParts(block, place, context))
  }
  if (parts.length === 0 && results.length === 0) throw invalidField(path, 'is empty')
  return parts.length > 0 ? [...results, { role: 'user', content: contentOf(parts, context) }] : results
}

function contentOf(parts: readonly ChatPart[], context: RequestContext): unknown {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? textContent([first], '', context) : parts
}

function readResult(block: JsonObject, path: string, context: RequestContext) {
  noteCitations(block, context.dropped)
  const id = requireString(block['tool_use_id'], `${path}.tool_use_id`)
  const parts = isAbsent(block['content']) ? [] : toParts(block['content'], `${path}.content`, context)
  const texts = parts.filter((part) => part.type === 'text')
  const media = parts.filter((part) => part.type !== 'text')
  if (media.length > 0) {
    texts.push(textPart(mediaFollow))
    // The media follow in another message, which the cache_control of this block does not cover.
    cacheControlOf(block, path, undefined, context)
  }
  const result = block['is_error'] === true ? asFailure(texts) : texts
  const content = textContent(withCacheControl(result, block, path, context), '\n', context)
  const label = textPart(mediaLabel(id))
  return {
    message: { role: 'tool', tool_call_id: id, content },
    media: media.length > 0 ? [label, ...media] : [],
  }
}

/** Chat completions cannot mark a call as failed; the model must still see that it failed. */
function asFailure([first = textPart(''), ...rest]: readonly TextPart[]): TextPart[] {
  return [{ ...first, text: `Error: ${first.text}` }, ...rest]
}

/** An assistant message at the end asks to be continued; other models would start a new one. */
function refuseContinuation(messages: readonly unknown[]): void {
  const place = messages.length - 1
  const last = requireObject(messages[place], `messages.${place}`)
  if (last['role'] !== 'assistant') return
  throw invalidField(
    `messages.${place}`,
    'is an assistant message at the end, which this model does not continue: end with a user message',
  )
}
