import { invalidField } from '#kernel/errors'
import { passChat } from '../../passthrough/chat-exchange.ts'
import { addDecimals } from '../../passthrough/decimal.ts'
import { decimalAt, readChatUsage } from '../../passthrough/usage.ts'
import type { ChatExchange, ChatRequest, Usage } from '../../provider.ts'
import { countOf, isAbsent, objectOf, type JsonObject } from '../../wire/json.ts'
import { reportedError } from './fault.ts'
import { upstreamModel } from './model-name.ts'

export function passChatCompletion(request: ChatRequest): ChatExchange {
  const { n } = request.body
  // OpenRouter ignores fields it does not know: the client would get one choice and never learn why.
  if (!isAbsent(n) && n !== 1) throw invalidField('n', 'must be 1: OpenRouter returns one choice')
  return passChat(request, {
    name: 'OpenRouter',
    model: upstreamModel(request.requestedModel),
    // It always reports usage, requested or not.
    usageOnRequest: false,
    takesMetadata: true,
    usageOf,
    reported: reportedError,
  })
}

function usageOf(response: JsonObject, json: Buffer): Usage | null {
  const usage = readChatUsage(response['usage'])
  if (!usage) return null
  const report = objectOf(response['usage'])
  const searches = countOf(objectOf(report['server_tool_use_details'])['web_search_requests'])
  return { ...usage, statedCost: costOf(report, json), units: searches > 0 ? { web_search: searches } : {} }
}

/** With the caller's own upstream key, `cost` is only OpenRouter's fee: the inference is billed beside it. */
function costOf(report: JsonObject, json: Buffer): string | null {
  const cost = decimalAt(json, ['usage', 'cost'])
  const inference =
    report['is_byok'] === true ? decimalAt(json, ['usage', 'cost_details', 'upstream_inference_cost']) : null
  return cost !== null && inference !== null ? addDecimals(cost, inference) : cost
}
