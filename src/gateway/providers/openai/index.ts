import type { BuiltInProvider } from '../../provider.ts'
import { builtInNames } from '../../provider-names.ts'
import { passEmbeddings } from '../../passthrough/embeddings.ts'
import { responseFault } from '../../passthrough/fault.ts'
import { stringOf } from '../../wire/json.ts'
import { describeModel, listedModels } from '../../passthrough/models.ts'
import { agentModels, retirements } from './agent-models.ts'
import { needsResponses } from './family.ts'
import { passChatCompletion, passResponses, responseEvents } from './passthrough.ts'
import { chatThroughResponses, countInputTokens } from './responses/exchange.ts'

const { name } = builtInNames.openai
const prefixes = ['gpt-', 'o1', 'o3', 'o4', 'chatgpt-', 'chat-latest', 'codex-', 'whisper-', 'ft:']

export const openai = {
  id: 'openai',
  specName: 'beta',
  name,
  docsUrl: 'https://developers.openai.com/api/docs',
  prefixes,
  credentials: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  chat: (request) => (needsResponses(request) ? chatThroughResponses(request) : passChatCompletion(request)),
  passthrough: { responses: passResponses },
  storedResponses: { path: '/responses', stream: responseEvents },
  countTokens: countInputTokens,
  fault: (response) => responseFault(name, response),
  prices: { tableId: 'openai' },
  agentModels,
  retirements,
  models: {
    path: '/models',
    // The list also holds models for images, speech and embeddings, which no prefix leads to.
    read: (body) => ({
      models: listedModels(body)
        .map((entry) => describeModel(entry, stringOf(entry['id']), 'openai'))
        .filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix))),
    }),
  },
  transcriptionPath: '/audio/transcriptions',
  embeddings: {
    prefixes: ['text-embedding-'],
    exchange: (request) => passEmbeddings(request, { name, model: request.model }),
  },
} satisfies BuiltInProvider
