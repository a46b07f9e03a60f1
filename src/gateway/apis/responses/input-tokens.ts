import type { Api, ClientRequest } from '../../api.ts'
import type { ChatExchange, ChatResponse, Provider } from '../../provider.ts'
import { noUsage } from '../../wire/chunk-writer.ts'
import { estimateTokens } from '../../wire/estimate-tokens.ts'
import { objectOf, parseJson } from '../../wire/json.ts'
import { neverStreamed } from '../../wire/token-count.ts'
import { withClientNames } from '../client-names.ts'
import { toChatRequest } from './chat-request.ts'
import { passThrough, responses } from './index.ts'

/** Counts the input tokens of a response, free of charge: by the provider's own route, or else by an estimate. */
export const inputTokens: Api = {
  ...responses,
  path: '/v1/responses/input_tokens',
  summary: 'Input tokens of a response, as the provider counts them or by an estimate',
  read: (given, headers) => ({ ...responses.read(given, headers), isStream: false }),
  exchange(provider, request) {
    const native = provider.passthrough?.responses
    if (!native) return provider.countTokens ? asked(provider, request) : estimated(request)
    const exchange = passThrough(native, request)
    return {
      ...exchange,
      path: `${exchange.path}/input_tokens`,
      response: (body) => ({ body, usage: noUsage }),
      stream: neverStreamed,
    }
  },
}

function asked(provider: Provider, request: ClientRequest): ChatExchange {
  const { model, shownModel = model } = request
  const chat = toChatRequest(request.body, false, provider)
  const count = provider.countTokens?.bind(provider, {
    raw: chat.raw,
    body: chat.body,
    model,
    requestedModel: shownModel,
    isStream: false,
    wantsUsage: false,
  })
  if (!count) return estimated(request)
  const exchange = withClientNames(chat.clientNames, count)
  return { ...exchange, response: (bytes) => inFormat(exchange.response(bytes)) }
}

function estimated(request: ClientRequest): ChatExchange {
  const counted = { input_tokens: estimateTokens(responses.promptText(request)) }
  return {
    path: '',
    body: '',
    dropped: [],
    local: inFormat({ body: JSON.stringify(counted), usage: noUsage }),
    response: (bytes) => ({ body: bytes, usage: noUsage }),
    stream: neverStreamed,
  }
}

/** Providers count as the Messages API does. */
function inFormat({ body, usage }: ChatResponse): ChatResponse {
  const { input_tokens } = objectOf(parseJson(Buffer.from(body).toString()))
  return { body: JSON.stringify({ object: 'response.input_tokens', input_tokens }), usage }
}
