import { invalid } from '#kernel/errors'
import { noUsage } from '../../wire/chunk-writer.ts'
import type { Api } from '../../api.ts'
import { messages, readMessages } from './index.ts'
import { passthroughBytes } from './passthrough.ts'

/** Counts the input tokens of a message. Only a provider of the Messages API can do this, and it does so free of charge. */
export const countTokens: Api = {
  ...messages,
  path: '/v1/messages/count_tokens',
  summary: 'Input tokens of a message, where the provider counts them',
  read: (given, headers) => ({ ...readMessages(given, headers), isStream: false }),
  exchange(provider, request) {
    const native = provider.passthrough?.messages
    if (!native)
      throw invalid(`${provider.name} does not count tokens before a request, so this model cannot.`, 'model')
    const exchange = native({ ...request, requestedModel: request.model, raw: passthroughBytes(request) })
    return {
      ...exchange,
      path: `${exchange.path}/count_tokens`,
      response: (body) => ({ body, usage: noUsage }),
    }
  },
}
