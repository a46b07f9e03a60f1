import { estimateTokens } from '../../wire/estimate-tokens.ts'
import { invalidField } from '#kernel/errors'
import type { ChatExchange, Provider } from '../../providers/index.ts'
import { objectOf, parseJson, stringOf } from '../../wire/json.ts'
import { readSettings } from '../../request/body.ts'
import type { ClientBody, ClientHeaders, ClientRequest, Api } from '../../api.ts'
import { droppedFor, withClientNames, type ClientNames } from '../client-names.ts'
import { toMessage } from './response.ts'
import { faultBody, faultEvent, faultStatus } from './fault.ts'
import { readHeaders } from './headers.ts'
import { passthroughBytes } from './passthrough.ts'
import { promptText } from './prompt-text.ts'
import { toChat } from './request.ts'
import { MessageStream } from './stream.ts'

/** The Messages API: passed through to a provider that supports it, translated to Chat Completions for all others. */
export const messages: Api = {
  path: '/v1/messages',
  summary: 'Message, in the Anthropic format, by any configured provider',
  read: readMessages,
  exchange(provider, request) {
    const native = provider.passthrough?.messages
    if (!native) return translated(provider, request)
    return native({
      ...request,
      requestedModel: request.shownModel ?? request.model,
      raw: passthroughBytes(request),
    })
  },
  promptText: ({ body }) => promptText(body),
  faultBody,
  faultStatus,
  faultEvent,
  idHeader: 'request-id',
}

export function readMessages(given: ClientBody, headers: ClientHeaders): ClientRequest {
  const request = readSettings(given)
  const { messages: said, metadata } = request.body
  if (!Array.isArray(said) || said.length === 0)
    throw invalidField('messages', 'is required and must be an array with at least one message')
  const user = objectOf(metadata)['user_id']
  return {
    ...request,
    headers: readHeaders(headers),
    userLabel: typeof user === 'string' ? labelOf(user).slice(0, 256) : null,
  }
}

/** Claude Code names the account, the machine and the session in one text: a label is for the one that stays the same. */
function labelOf(user: string): string {
  const named = user.startsWith('{') ? objectOf(parseJson(user)) : {}
  return stringOf(named['account_uuid']) || stringOf(named['device_id']) || user
}

/** Fields of chat completions that have another name here. */
const fields = new Map([
  ['stop', 'stop_sequences'],
  ['reasoning_effort', 'thinking'],
  ['reasoning', 'thinking'],
  ['reasoning.effort', 'thinking'],
  ['reasoning.max_tokens', 'thinking.budget_tokens'],
  ['response_format', 'output_config.format'],
  ['response_format.json_schema', 'output_config.format'],
  ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
  ['tool_choice.function', 'tool_choice'],
])

export function clientNames(origins: readonly string[]): ClientNames {
  return { messages: origins, fields, toolSchema: 'input_schema' }
}

function translated(provider: Provider, request: ClientRequest): ChatExchange {
  const { chat, dropped, names, origins, hidesThinking, stops } = toChat(request, provider)
  const context = {
    providerId: provider.id,
    providerName: provider.name,
    model: request.shownModel ?? request.model,
    names,
    hidesThinking,
    stops,
    estimateInput: () => estimateTokens(promptText(request.body)),
  }
  const own = clientNames(origins)
  const exchange = withClientNames(own, () => provider.chat(chat))
  return {
    ...exchange,
    ...droppedFor(own, dropped, exchange),
    response: (body) => toMessage(exchange.response(body), context),
    stream: () => new MessageStream(exchange.stream(), context),
  }
}
