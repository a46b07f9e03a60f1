import { invalid } from '#kernel/errors'
import type { CachePlace, ChatRequest, Provider, Usage } from '../../provider.ts'
import { addDecimals } from '../../passthrough/decimal.ts'
import { forwardChat } from '../../passthrough/exchange.ts'
import { countOf, isAbsent, objectOf, type JsonObject } from '../../wire/json.ts'
import { decimalAt, readChatUsage } from '../../passthrough/usage.ts'
import { openRouterFault, openRouterReported } from './fault.ts'
import { gatewayPrefix, upstreamModel } from './model-name.ts'
import { readOpenRouterModels } from './models.ts'

export const openrouter = {
  id: 'openrouter',
  specName: 'aggregator',
  name: 'OpenRouter',
  docsUrl: 'https://openrouter.ai/docs',
  prefixes: [gatewayPrefix],
  credentials: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  chat(request) {
    refuseChoices(request)
    return forwardChat(request, {
      name: 'OpenRouter',
      model: upstreamModel(request.requestedModel),
      // It always tells usage, asked or not.
      usageOnRequest: false,
      definesMetadata: true,
      usageOf,
      reported: openRouterReported,
    })
  },
  cachePlaces,
  fault: openRouterFault,
  models: { path: '/models', read: readOpenRouterModels },
} satisfies Provider

/** A field it does not know is ignored there; the client would get one choice and never learn why. */
function refuseChoices({ body }: ChatRequest): void {
  if (!isAbsent(body['n']) && body['n'] !== 1) throw invalid('OpenRouter gives one choice: n must be 1.', 'n')
}

/** Marks on pictures and files are ignored there, and so are all marks where the maker caches by itself or not at all. */
function cachePlaces(model: string): readonly CachePlace[] {
  const name = upstreamModel(model).replace(/^~/, '')
  if (name.startsWith('anthropic/')) return ['text', 'tool', 'request']
  return name.startsWith('google/gemini') ? ['text'] : []
}

function usageOf(answer: JsonObject, json: Buffer): Usage | null {
  const usage = readChatUsage(answer['usage'])
  if (!usage) return null
  const told = objectOf(answer['usage'])
  const searches = countOf(objectOf(told['server_tool_use_details'])['web_search_requests'])
  return { ...usage, statedCost: costOf(told, json), units: searches > 0 ? { web_search: searches } : {} }
}

/** With the caller's own upstream key, `cost` is only OpenRouter's fee: the inference is billed beside it. */
function costOf(told: JsonObject, json: Buffer): string | null {
  const cost = decimalAt(json, ['usage', 'cost'])
  const inference =
    told['is_byok'] === true ? decimalAt(json, ['usage', 'cost_details', 'upstream_inference_cost']) : null
  return cost !== null && inference !== null ? addDecimals(cost, inference) : cost
}
