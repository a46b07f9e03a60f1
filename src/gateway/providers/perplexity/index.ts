import { readResponse } from '../openai/responses/completion.ts'
import type { ResponseRules } from '../openai/responses/completion.ts'
import { ResponseReader } from '../openai/responses/stream.ts'
import type { ChatExchange, ChatRequest, Provider } from '../../provider.ts'
import { responseFault } from '../../passthrough/fault.ts'
import { describeModel } from '../../passthrough/models.ts'
import { droppedFrom, toAgentRequest } from './agent-request.ts'
import { adorn } from './citations.ts'
import { passChatCompletion } from './passthrough.ts'
import { agentUsage } from './usage.ts'

const name = 'Perplexity'
const models = ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research']

export const perplexity = {
  id: 'perplexity',
  specName: 'delta',
  name,
  docsUrl: 'https://docs.perplexity.ai',
  prefixes: ['sonar'],
  credentials: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  chat: (request, options) =>
    options.perplexityApi === 'sonar' ? passChatCompletion(request) : askAgent(request),
  fault: (response) => responseFault(name, response),
  models: undefined,
  knownModels: models.map((model) => describeModel({}, model, 'perplexity')),
} satisfies Provider

function askAgent(request: ChatRequest): ChatExchange {
  const rules: ResponseRules = {
    name,
    model: request.requestedModel,
    wantsUsage: request.wantsUsage,
    usageOf: agentUsage,
    adorn,
  }
  return {
    path: '/v1/agent',
    body: JSON.stringify(toAgentRequest(request)),
    dropped: droppedFrom(request.body),
    response: (bytes) => readResponse(bytes, rules),
    stream: () => new ResponseReader(rules),
  }
}
