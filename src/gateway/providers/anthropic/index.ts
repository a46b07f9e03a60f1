import type { BuiltInProvider } from '../../provider.ts'
import { builtInNames } from '../../provider-names.ts'
import { agentModels, retirements } from './agent-models.ts'
import { readFault } from './fault.ts'
import { modelList } from './model-list.ts'
import { passMessages } from './passthrough.ts'
import { toMessagesRequest } from './request.ts'
import { readMessage } from './response.ts'
import { AnthropicStream } from './stream.ts'

/** Claude models over the Messages API. */
export const anthropic = {
  id: 'anthropic',
  specName: 'alpha',
  name: builtInNames.anthropic.name,
  docsUrl: 'https://platform.claude.com/docs',
  prefixes: ['claude-'],
  credentials: (key) => ({ headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' } }),
  chat(request) {
    const { model, requestedModel, wantsUsage } = request
    const { content, headers, dropped, names } = toMessagesRequest(request)
    const context = { model, requestedModel, names }
    return {
      path: '/v1/messages',
      headers,
      ...content,
      dropped: [...dropped],
      adapted: dropped.adapted,
      response: (bytes) => readMessage(bytes, context),
      stream: () => new AnthropicStream({ ...context, wantsUsage }),
    }
  },
  passthrough: { messages: passMessages },
  cachePlaces: () => ['text', 'tool', 'request'],
  fault: readFault,
  models: modelList,
  prices: { tableId: 'anthropic' },
  agentModels,
  retirements,
} satisfies BuiltInProvider
