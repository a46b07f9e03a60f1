import { randomUUID } from 'node:crypto'
import { toOpenAiUsage } from '../../wire/chunk-writer.ts'
import type { ChatResponse } from '../../provider.ts'
import {
  arrayOf,
  bufferOf,
  isObject,
  objectOf,
  parseJson,
  stringOf,
  type JsonObject,
} from '../../wire/json.ts'
import { reasoningEntry } from '../../chat/reasoning-details.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import { brokenFault } from '../../wire/fault.ts'
import { errorFault } from './fault.ts'
import { finishReason, refusalOf, toAnnotations } from './finish.ts'
import { reasoningFormat } from './messages.ts'
import { mergeUsage, toUsage } from './usage.ts'

export interface MessageContext {
  /** The name at Anthropic, and the one the client used. */
  model: string
  requestedModel: string
  names: ToolNames
}

/** An error can come with a good status; it must never pass for an empty response. */
export function parseMessage(bytes: Uint8Array): JsonObject {
  const message = parseJson(bufferOf(bytes).toString())
  if (!isObject(message)) throw brokenFault('Anthropic', 'sent a response that is not JSON')
  if (message['type'] === 'error') throw errorFault(message)
  if (!Array.isArray(message['content'])) throw brokenFault('Anthropic', 'sent a response without content')
  return message
}

export function readMessage(bytes: Uint8Array, context: MessageContext): ChatResponse {
  const message = parseMessage(bytes)
  const usage = toUsage(mergeUsage(null, message['usage']))
  const choice = {
    index: 0,
    message: toChatMessage(message, context),
    logprobs: null,
    finish_reason: finishReason(stringOf(message['stop_reason'])),
  }
  const body = {
    id: `chatcmpl-${stringOf(message['id']) || randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: context.requestedModel,
    choices: [choice],
    ...(usage ? { usage: toOpenAiUsage(usage) } : {}),
  }
  return { body: JSON.stringify(body), usage }
}

/** Blocks of unknown types are skipped. */
function toChatMessage(message: JsonObject, context: MessageContext) {
  let content = ''
  let reasoning = ''
  const details: unknown[] = []
  const calls: unknown[] = []
  const annotations: unknown[] = []
  const place = () => ({
    index: details.length,
    format: reasoningFormat,
    model: context.model,
    textBefore: content.length,
    callsBefore: calls.length,
  })
  for (const item of arrayOf(message['content'])) {
    const block = objectOf(item)
    switch (block['type']) {
      case 'text': {
        const start = content.length
        content += stringOf(block['text'])
        annotations.push(...toAnnotations(arrayOf(block['citations']), start, content.length))
        break
      }
      case 'thinking': {
        const text = stringOf(block['thinking'])
        reasoning += text
        const signed = { type: 'reasoning.text', text, signature: stringOf(block['signature']) }
        details.push(reasoningEntry(signed, place()))
        break
      }
      case 'redacted_thinking':
        details.push(reasoningEntry({ type: 'reasoning.encrypted', data: stringOf(block['data']) }, place()))
        break
      case 'tool_use': {
        const name = context.names.toClient(stringOf(block['name']))
        const args = JSON.stringify(block['input'] ?? {})
        calls.push({ id: stringOf(block['id']), type: 'function', function: { name, arguments: args } })
        break
      }
      default:
    }
  }
  const refusal = refusalOf(message)
  const isSilent = content === '' && (calls.length > 0 || refusal !== null)
  return {
    role: 'assistant',
    content: isSilent ? null : content,
    refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning, reasoning }),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(annotations.length > 0 ? { annotations } : {}),
  }
}
