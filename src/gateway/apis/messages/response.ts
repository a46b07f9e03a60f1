import { contentText, reasoningText } from '../../chat/response-content.ts'
import { brokenFault } from '../../wire/fault.ts'
import type { ChatResponse } from '../../provider.ts'
import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { KeptReasoning } from '../sealed-reasoning.ts'
import { endingOf, toMessageUsage } from './ending.ts'
import { imageNote, messageHead, toCitations, toolUse } from './response-parts.ts'
import type { ResponseContext } from './context.ts'

/** Translates a chat completion to a message. */
export function toMessage({ body, usage }: ChatResponse, context: ResponseContext): ChatResponse {
  const completion = objectOf(parseJson(typeof body === 'string' ? body : Buffer.from(body).toString()))
  const choice = objectOf(arrayOf(completion['choices'])[0])
  const { message } = choice
  if (!isObject(message)) throw brokenFault(context.providerName, 'sent a response without a message')
  const isCut = choice['finish_reason'] === 'length'
  const calls = arrayOf(message['tool_calls']).flatMap((call) => callBlock(objectOf(call), isCut, context))
  const refusal = stringOf(message['refusal'])
  const response = {
    ...messageHead(stringOf(completion['id']), context.model),
    content: contentOf(message, [...textBlocks(message, refusal), ...calls], context),
    ...endingOf(choice, { hasCalls: calls.length > 0, refusal }, context.stops),
    usage: toMessageUsage(usage),
  }
  return { body: JSON.stringify(response), usage }
}

/**
 * Thinking comes first; without readable thinking, what the calls need comes last. A response without calls ends
 * with its text, as in a stream.
 */
function contentOf(message: JsonObject, said: readonly unknown[], context: ResponseContext): unknown[] {
  const kept = new KeptReasoning(context.providerId)
  kept.add(message['reasoning_details'])
  for (const call of arrayOf(message['tool_calls']).map(objectOf)) kept.addCall(stringOf(call['id']), call)
  const thinking = context.hidesThinking ? '' : reasoningText(message)
  if (thinking !== '') return [{ type: 'thinking', thinking, signature: kept.take() }, ...said]
  const isTextOnly = said.length > 0 && arrayOf(message['tool_calls']).length === 0
  return kept.isEmpty || isTextOnly ? [...said] : [...said, { type: 'redacted_thinking', data: kept.take() }]
}

function textBlocks(message: JsonObject, refusal: string): unknown[] {
  const content = contentText(message['content'])
  const text = content + refusal + imageNote(message)
  if (text === '') return []
  const citations = toCitations(message['annotations'], content)
  return [{ type: 'text', text, citations: citations.length > 0 ? citations : null }]
}

function callBlock(call: JsonObject, isCut: boolean, { names, providerName }: ResponseContext): unknown[] {
  const { name, arguments: text } = objectOf(call['function'])
  const written = stringOf(text).trim()
  const input = written === '' ? {} : parseJson(written)
  if (isObject(input)) return [toolUse(stringOf(call['id']), names.toClient(stringOf(name)), input)]
  // Half a call must not pass for one without arguments; the stop reason shows that something is missing.
  if (isCut) return []
  throw brokenFault(providerName, 'called a tool with arguments that are not a JSON object')
}
