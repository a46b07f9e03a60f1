import { noUsage } from '../../wire/chunk-writer.ts'
import { neverStreamed } from '../../wire/token-count.ts'
import { estimateTokens } from '../../wire/estimate-tokens.ts'
import type { Api, ClientRequest } from '../../api.ts'
import type { ChatExchange, Provider } from '../../provider.ts'
import { withClientNames } from '../client-names.ts'
import { clientNames, messages, readMessages } from './index.ts'
import { passthroughBytes } from './passthrough.ts'
import { promptText } from './prompt-text.ts'
import { toChat } from './request.ts'

/** Counts the input tokens of a message, free of charge: by the provider's own route, or else by an estimate. */
export const countTokens: Api = {
  ...messages,
  path: '/v1/messages/count_tokens',
  summary: 'Input tokens of a message, as the provider counts them or by an estimate',
  read: (given, headers) => ({ ...readMessages(given, headers), isStream: false }),
  exchange(provider, request) {
    const native = provider.passthrough?.messages
    if (!native) return provider.countTokens ? asked(provider, request) : estimated(request)
    const requestedModel = request.shownModel ?? request.model
    const exchange = native({ ...request, requestedModel, raw: passthroughBytes(request) })
    return {
      ...exchange,
      path: `${exchange.path}/count_tokens`,
      response: (body) => ({ body, usage: noUsage }),
    }
  },
}

function asked(provider: Provider, request: ClientRequest): ChatExchange {
  // There is no response to limit, but the request is the same.
  const body = { ...request.body, max_tokens: request.body['max_tokens'] ?? 1 }
  const { chat, origins } = toChat({ ...request, body }, provider)
  const count = provider.countTokens?.bind(provider, chat)
  return count ? withClientNames(clientNames(origins), count) : estimated(request)
}

function estimated({ body }: ClientRequest): ChatExchange {
  const count = { input_tokens: estimateTokens(promptText(body)) }
  return {
    path: '',
    body: '',
    dropped: [],
    local: { body: JSON.stringify(count), usage: noUsage },
    response: (bytes) => ({ body: bytes, usage: noUsage }),
    stream: neverStreamed,
  }
}
