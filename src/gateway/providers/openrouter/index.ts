import { passEmbeddings } from '../../passthrough/embeddings.ts'
import type { CachePlace, BuiltInProvider } from '../../provider.ts'
import { builtInNames } from '../../provider-names.ts'
import { readFault } from './fault.ts'
import { gatewayPrefix, upstreamModel } from './model-name.ts'
import { readModels } from './models.ts'
import { passChatCompletion } from './passthrough.ts'

export const openrouter = {
  id: 'openrouter',
  specName: 'aggregator',
  name: builtInNames.openrouter.name,
  docsUrl: 'https://openrouter.ai/docs',
  prefixes: [gatewayPrefix],
  takesModels: true,
  credentials: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  chat: passChatCompletion,
  cachePlaces,
  fault: readFault,
  models: { path: '/models', read: readModels },
  // Its list of models is open to everybody.
  keyCheckPath: '/key',
  prices: { tableId: 'openrouter', tableModel: upstreamModel },
  agentModels: {
    family: /^openrouter\/anthropic\/claude-(sonnet|opus)-[\d.]+$/,
    fallback: 'openrouter/anthropic/claude-sonnet-5.5',
  },
  embeddings: {
    exchange: (request) =>
      passEmbeddings(request, { name: 'OpenRouter', model: upstreamModel(request.model) }),
  },
} satisfies BuiltInProvider

/** OpenRouter ignores marks on images and files, and all marks for models that cache automatically or not at all. */
function cachePlaces(model: string): readonly CachePlace[] {
  const name = upstreamModel(model).replace(/^~/, '')
  if (name.startsWith('anthropic/')) return ['text', 'tool', 'request']
  return name.startsWith('google/gemini') ? ['text'] : []
}
