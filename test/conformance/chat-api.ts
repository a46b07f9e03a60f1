import { responseFeatures } from './responses.ts'
import { failures } from './failures.ts'
import type { ClientApi } from './client-api.ts'
import { langchainClient } from './langchain-client.ts'
import { openaiClient } from './openai-client.ts'
import { reasoning } from './reasoning.ts'
import { toolUse } from './tools.ts'
import { vercelClient } from './vercel-client.ts'

export const chatApi: ClientApi = {
  title: 'Chat Completions',
  path: '/v1/chat/completions',
  packages: {
    openai: ['openai'],
    ai: ['ai', '@ai-sdk/openai-compatible'],
    langchain: ['@langchain/openai', '@langchain/core'],
  },
  clients: (endpoint) => [openaiClient(endpoint), vercelClient(endpoint), langchainClient(endpoint)],
  features: [...responseFeatures, ...toolUse, ...reasoning, ...failures],
}
