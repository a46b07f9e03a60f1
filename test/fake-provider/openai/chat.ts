import { callIds, compose } from '../completion.ts'
import { numberOf, objectOf, stringOf } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { eventStream, jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing } from '../provider-api.ts'
import { readChatPrompt } from './chat-prompt.ts'
import { checkChat } from './check-chat.ts'
import { findGpt } from './models.ts'
import { renderChat, renderChatStream } from './render-chat.ts'
import type { ChatRendering } from './render-chat.ts'

const cacheFloor = 1024
const cacheStep = 128

export function respondChat({ request, reply, identifiers, cache }: Exchange): Outgoing {
  if (reply.unchecked !== true) checkChat(request.json)
  const body = objectOf(request.json)
  const prompt = readChatPrompt(body, reasons(body) ? 'hidden' : 'none')
  const cached = automaticCache(prompt.inputTokens, () => cache.hit(prompt.model, body['messages']))
  const completion = compose(prompt, reply, callIds(identifiers, 'call_', 24), { read: cached, write: 0 })
  const options = objectOf(body['stream_options'])
  const how: ChatRendering = {
    id: identifiers.next('chatcmpl-', 29),
    model: prompt.model,
    tier: body['service_tier'] === 'flex' ? 'flex' : 'default',
    choices: numberOf(body['n']) ?? 1,
    logprobs: body['logprobs'] === true,
    includeUsage: options['include_usage'] === true,
    obfuscate: options['include_obfuscation'] !== false,
  }
  if (body['stream'] === true) return eventStream(renderChatStream(completion, how))
  return jsonBody(200, renderChat(completion, how), {}, 2)
}

/** OpenAI caches automatically from 1,024 tokens on, in steps of 128. */
export function automaticCache(inputTokens: number, hit: () => boolean): number {
  if (inputTokens < cacheFloor || !hit()) return 0
  return Math.floor(inputTokens / cacheStep) * cacheStep
}

function reasons(body: JsonObject): boolean {
  const model = findGpt(stringOf(body['model']))
  if (model === undefined || model === 'gone' || model.efforts.length === 0) return false
  return (body['reasoning_effort'] ?? model.defaultEffort) !== 'none'
}
