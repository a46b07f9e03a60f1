import { contentText, reasoningText } from '../../chat/response-content.ts'
import { brokenFault } from '../../wire/fault.ts'
import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import type { ChatResponse, Provider } from '../../provider.ts'
import { KeptReasoning } from '../sealed-reasoning.ts'
import { endingOf, envelope, newId, responseUsage } from './envelope.ts'
import type { Status } from './envelope.ts'
import {
  callItem,
  imageItem,
  messageItem,
  newCallId,
  reasoningItem,
  refusalPart,
  textPart,
  toAnnotations,
} from './items.ts'
import { targetOf, type Targets } from './targets.ts'

export interface ResponseContext {
  readonly provider: Pick<Provider, 'id' | 'name'>
  readonly request: JsonObject
  readonly targets: Targets
}

/** Translates a chat completion to a response. */
export function toResponse({ body, usage }: ChatResponse, context: ResponseContext): ChatResponse {
  const completion = objectOf(parseJson(typeof body === 'string' ? body : Buffer.from(body).toString()))
  const choice = arrayOf(completion['choices'])[0]
  if (!isObject(choice)) throw brokenFault(context.provider.name, 'sent a response without choices')
  const ending = endingOf(choice['finish_reason'])
  const tier = completion['service_tier']
  const response = {
    ...envelope(context.request),
    ...ending,
    output: outputOf(choice, ending.status, context),
    ...responseUsage(usage),
    ...(typeof tier === 'string' ? { service_tier: tier } : {}),
  }
  return { body: JSON.stringify(response), usage }
}

function outputOf(choice: JsonObject, status: Status, { provider, targets }: ResponseContext): JsonObject[] {
  const message = objectOf(choice['message'])
  const calls = arrayOf(message['tool_calls']).filter(isObject)
  const images = arrayOf(message['images'])
    .map(imageItem)
    .filter((item) => item !== undefined)
  const items = [
    ...reasoningOf(message, calls, provider.id),
    ...images,
    ...calls.map((call) => {
      const called = objectOf(call['function'])
      const target = targetOf(targets, stringOf(called['name']))
      const args = stringOf(called['arguments']) || '{}'
      const id = newCallId(target)
      return callItem({ ...target, id, callId: stringOf(call['id']), arguments: args }, 'completed')
    }),
  ]
  const content = contentOf(choice, message)
  // A response always has an item: an empty one gets an empty text.
  if (content.length === 0 && items.length === 0) content.push(textPart('', [], []))
  if (content.length === 0) return items
  const item = messageItem(newId('msg'), status, content)
  return items.toSpliced(items[0]?.['type'] === 'reasoning' ? 1 : 0, 0, item)
}

function contentOf(choice: JsonObject, message: JsonObject): JsonObject[] {
  const text = contentText(message['content'])
  const refusal = stringOf(message['refusal'])
  const logprobs = arrayOf(objectOf(choice['logprobs'])['content'])
  const parts = text === '' ? [] : [textPart(text, toAnnotations(message['annotations']), logprobs)]
  return refusal === '' ? parts : [...parts, refusalPart(refusal)]
}

function reasoningOf(message: JsonObject, calls: readonly JsonObject[], provider: string): JsonObject[] {
  const text = reasoningText(message)
  const kept = new KeptReasoning(provider)
  kept.add(message['reasoning_details'])
  for (const call of calls) kept.addCall(stringOf(call['id']), call)
  return text === '' && kept.isEmpty ? [] : [reasoningItem(newId('rs'), text, kept)]
}
