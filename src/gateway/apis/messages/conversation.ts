import { invalidField } from '#kernel/errors'
import { isAbsent, type JsonObject } from '../../wire/json.ts'
import { requireArray, requireObject, requireString } from '../../wire/request-json.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import { mediaFollow, mediaLabel } from '../result-media.ts'
import { readAssistant } from './assistant.ts'
import { markOf, marked } from './marks.ts'
import type { Marking } from './marks.ts'
import { blockParts, noteCitations, textContent, textPart, textParts, toParts } from './parts.ts'
import type { ChatPart, TextPart } from './parts.ts'

export type ChatMessage = Record<string, unknown>

export interface Translation extends Marking {
  /** Whose model is asked: only its own sealed reasoning goes back. */
  providerId: string
  names: ToolNames
}

export interface ChatConversation {
  messages: ChatMessage[]
  /** For each chat message the field of the request that it was made from. */
  origins: string[]
}

/** System and messages as chat messages. One message with results becomes several, so their places are kept. */
export function toConversation(body: JsonObject, how: Translation): ChatConversation {
  const conversation: ChatConversation = { messages: [], origins: [] }
  const add = (path: string, messages: readonly ChatMessage[]): void => {
    for (const message of messages) place(conversation, message, path)
  }
  if (!isAbsent(body['system'])) add('system', systemMessage(body['system'], 'system', how))
  const list = requireArray(body['messages'], 'messages')
  for (const [index, item] of list.entries()) {
    const path = `messages.${index}`
    add(path, readMessage(requireObject(item, path), path, how))
  }
  refuseContinuation(list)
  return conversation
}

/** Results must stand right behind the calls, whatever the user says between them. */
function place({ messages, origins }: ChatConversation, message: ChatMessage, path: string): void {
  let index = messages.length
  if (message['role'] === 'tool') while (messages[index - 1]?.['role'] === 'user') index--
  messages.splice(index, 0, message)
  origins.splice(index, 0, path)
}

function readMessage(message: JsonObject, path: string, how: Translation): ChatMessage[] {
  const { content } = message
  switch (message['role']) {
    case 'user':
      return readUser(content, `${path}.content`, how)
    case 'assistant':
      return readAssistant(content, `${path}.content`, how)
    case 'system':
      return systemMessage(content, `${path}.content`, how)
    default:
      throw invalidField(`${path}.role`, 'must be user, assistant or system')
  }
}

function systemMessage(content: unknown, path: string, how: Translation): ChatMessage[] {
  const texts = textParts(content, path, how)
  if (texts.every(({ text }) => text.trim() === '')) return []
  return [{ role: 'system', content: textContent(texts, '\n\n', how) }]
}

/** Results come first, each a message of its own, then what else the user said. */
function readUser(content: unknown, path: string, how: Translation): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content: contentOf([textPart(content)], how) }]
  const results: ChatMessage[] = []
  const parts: ChatPart[] = []
  for (const [index, item] of requireArray(content, path).entries()) {
    const place = `${path}.${index}`
    const block = requireObject(item, place)
    if (block['type'] === 'tool_result') {
      const { message, media } = readResult(block, place, how)
      results.push(message)
      parts.push(...media)
    } else parts.push(...blockParts(block, place, how))
  }
  if (parts.length === 0 && results.length === 0) throw invalidField(path, 'is empty')
  return parts.length > 0 ? [...results, { role: 'user', content: contentOf(parts, how) }] : results
}

function contentOf(parts: readonly ChatPart[], how: Translation): unknown {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? textContent([first], '', how) : parts
}

function readResult(block: JsonObject, path: string, how: Translation) {
  noteCitations(block, how.dropped)
  const id = requireString(block['tool_use_id'], `${path}.tool_use_id`)
  const parts = isAbsent(block['content']) ? [] : toParts(block['content'], `${path}.content`, how)
  const texts = parts.filter((part) => part.type === 'text')
  const media = parts.filter((part) => part.type !== 'text')
  if (media.length > 0) {
    texts.push(textPart(mediaFollow))
    // What follows there is not behind the mark.
    markOf(block, path, undefined, how)
  }
  const told = block['is_error'] === true ? asFailure(texts) : texts
  const content = textContent(marked(told, block, path, how), '\n', how)
  const label = textPart(mediaLabel(id))
  return {
    message: { role: 'tool', tool_call_id: id, content },
    media: media.length > 0 ? [label, ...media] : [],
  }
}

/** Chat has no sign for a failed call; the model must still see that it failed. */
function asFailure([first = textPart(''), ...rest]: readonly TextPart[]): TextPart[] {
  return [{ ...first, text: `Error: ${first.text}` }, ...rest]
}

/** An assistant message at the end asks to be continued; other models would begin anew. */
function refuseContinuation(messages: readonly unknown[]): void {
  const place = messages.length - 1
  const last = requireObject(messages[place], `messages.${place}`)
  if (last['role'] !== 'assistant') return
  throw invalidField(
    `messages.${place}`,
    'is an assistant message at the end, which this model does not continue: end with a user message',
  )
}
