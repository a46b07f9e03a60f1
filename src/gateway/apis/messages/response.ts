import { brokenFault } from '../../wire/fault.ts'
import type { ChatResponse } from '../../provider.ts'
import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { KeptReasoning } from '../sealed-reasoning.ts'
import { endingOf, toMessageUsage } from './ending.ts'
import { imageNote, messageHead, reasoningIn, toCitations, toolUse } from './response-parts.ts'
import type { ResponseContext } from './context.ts'

/** A whole chat completion as a message. */
export function toMessage({ body, usage }: ChatResponse, context: ResponseContext): ChatResponse {
  const completion = objectOf(parseJson(typeof body === 'string' ? body : Buffer.from(body).toString()))
  const choice = objectOf(arrayOf(completion['choices'])[0])
  const { message } = choice
  if (!isObject(message)) throw brokenFault(context.providerName, 'sent a response without a message')
  const isCut = choice['finish_reason'] === 'length'
  const calls = arrayOf(message['tool_calls']).flatMap((call) => callBlock(objectOf(call), isCut, context))
  const refusal = stringOf(message['refusal'])
  const answer = {
    ...messageHead(stringOf(completion['id']), context.model),
    content: contentOf(message, [...textBlocks(message, refusal), ...calls], context),
    ...endingOf(choice, { hasCalls: calls.length > 0, refusal }, context.stops),
    usage: toMessageUsage(usage),
  }
  return { body: JSON.stringify(answer), usage }
}

/**
 * Thoughts come first; where there is nothing of them to read, what calls need stands out of the way. An answer that
 * only speaks ends with its words, as in a stream.
 */
function contentOf(message: JsonObject, said: readonly unknown[], context: ResponseContext): unknown[] {
  const kept = new KeptReasoning(context.providerId)
  kept.add(message['reasoning_details'])
  for (const call of arrayOf(message['tool_calls']).map(objectOf)) kept.addCall(stringOf(call['id']), call)
  const thinking = context.hidesThinking ? '' : reasoningIn(message)
  if (thinking !== '') return [{ type: 'thinking', thinking, signature: kept.take() }, ...said]
  const isSpeech = said.length > 0 && arrayOf(message['tool_calls']).length === 0
  return kept.isEmpty || isSpeech ? [...said] : [...said, { type: 'redacted_thinking', data: kept.take() }]
}

function textBlocks(message: JsonObject, refusal: string): unknown[] {
  const content = stringOf(message['content'])
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
  // Half a call must not pass for one without arguments; the reason of the end tells that something is missing.
  if (isCut) return []
  throw brokenFault(providerName, 'called a tool with arguments that are not a JSON object')
}
