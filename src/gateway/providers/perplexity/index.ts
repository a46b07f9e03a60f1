import { readResponse } from '../openai/responses/completion.ts'
import type { ResponseRules } from '../openai/responses/completion.ts'
import { ResponseReader } from '../openai/responses/stream.ts'
import type { ChatExchange, ChatRequest, FixedPrice, BuiltInProvider } from '../../provider.ts'
import { builtInNames } from '../../provider-names.ts'
import { responseFault } from '../../passthrough/fault.ts'
import { describeModel } from '../../passthrough/models.ts'
import { contentOf } from '../../wire/large-json.ts'
import { droppedFrom, toAgentRequest } from './agent-request.ts'
import { decorate } from './citations.ts'
import { embeddingPrice, embeddings } from './embeddings.ts'
import { passChatCompletion } from './passthrough.ts'
import { agentUsage } from './usage.ts'

const { name } = builtInNames.perplexity
const models = ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research']

/** The Agent API runs every Sonar model on one model, at one price. */
const agentPrice: FixedPrice = {
  inputPrice: '0.25',
  outputPrice: '2.5',
  cacheReadPrice: '0.0625',
  unitPrices: { search_web: '0.0025', web_search: '0.0025', image_search: '0.0025', fetch_url: '0.0005' },
}

const common = {
  id: 'perplexity',
  specName: 'delta',
  name,
  docsUrl: 'https://docs.perplexity.ai',
  prefixes: ['sonar'],
  isWholeWord: true,
  credentials: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  fault: (response) => responseFault(name, response),
  models: undefined,
  keyCheckPath: '/async/chat/completions',
  knownModels: models.map((model) => describeModel({}, model, 'perplexity')),
  embeddings,
} satisfies Partial<BuiltInProvider>

export const perplexity = {
  ...common,
  chat: askAgent,
  // The old API has no tools.
  agentModels: { family: /^sonar-pro$/, fallback: 'sonar-pro' },
  prices: {
    fixedPrice: (model) => (/^(perplexity\/)?sonar(-|$)/.test(model) ? agentPrice : embeddingPrice(model)),
  },
} satisfies BuiltInProvider

/** The old API, which has its own prices. */
export const perplexitySonar = {
  ...common,
  chat: passChatCompletion,
  prices: { tableId: 'perplexity', searchUnit: 'num_search_queries' },
} satisfies BuiltInProvider

function askAgent(request: ChatRequest): ChatExchange {
  const rules: ResponseRules = {
    name,
    model: request.requestedModel,
    wantsUsage: request.wantsUsage,
    usageOf: agentUsage,
    decorate,
  }
  return {
    path: '/v1/agent',
    ...contentOf(toAgentRequest(request), request),
    dropped: droppedFrom(request.body),
    response: (bytes) => readResponse(bytes, rules),
    stream: () => new ResponseReader(rules),
  }
}
