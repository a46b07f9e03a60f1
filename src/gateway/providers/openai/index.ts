import type { ChatRequest, Provider } from '../../provider.ts'
import { forwardChat } from '../../passthrough/exchange.ts'
import { reportedFault, answerFault } from '../../passthrough/fault.ts'
import { isAbsent, stringOf } from '../../wire/json.ts'
import { describeModel, listedModels } from '../../passthrough/models.ts'
import { readChatUsage } from '../../passthrough/usage.ts'
import { bridgeToResponses } from './bridge.ts'
import { isReasoningModel, needsResponses } from './family.ts'
import { passResponses } from './native.ts'

const name = 'OpenAI'
const prefixes = ['gpt-', 'o1', 'o3', 'o4', 'chatgpt-', 'chat-latest', 'codex-', 'whisper-', 'ft:']

export const openai = {
  id: 'openai',
  specName: 'beta',
  name,
  docsUrl: 'https://developers.openai.com/api/docs',
  prefixes,
  credentials: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  chat: (request) => (needsResponses(request) ? bridgeToResponses(request) : passOn(request)),
  passthrough: { responses: passResponses },
  fault: (answer) => answerFault(name, answer),
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
} satisfies Provider

function passOn(request: ChatRequest) {
  return forwardChat(request, {
    name,
    model: request.model,
    usageOnRequest: true,
    definesMetadata: true,
    ...limitByNewName(request),
    usageOf: (answer) => readChatUsage(answer['usage']),
    reported: (error) => reportedFault(name, error),
  })
}

/** Reasoning models refuse the old name of the limit; with both given, OpenAI itself says what is wrong. */
function limitByNewName({ model, body }: ChatRequest) {
  const isOld = !isAbsent(body['max_tokens']) && isAbsent(body['max_completion_tokens'])
  if (!isOld || !isReasoningModel(model)) return {}
  // A null under the new name would stand beside the renamed member.
  return { rename: { max_tokens: 'max_completion_tokens' }, remove: ['max_completion_tokens'] }
}
