import type { Fault } from '#kernel/errors'
import { arrayOf, isObject, objectOf } from '../../wire/json.ts'
import type { ChatExchange, Provider } from '../../providers/index.ts'
import { readSettings } from '../../request/body.ts'
import type { ClientRequest, Api } from '../../api.ts'
import { droppedFor, withClientNames } from '../client-names.ts'
import { isSealed, mayHoldSeal } from '../sealed-reasoning.ts'
import { withPlainSummary } from './compaction.ts'
import { toResponse, type ResponseContext } from './response.ts'
import { toChatRequest } from './chat-request.ts'
import { ResponseStream } from './stream.ts'

/** OpenAI's Responses API: passed through to a provider that supports it, translated to Chat Completions for all others. */
export const responses: Api = {
  path: '/v1/responses',
  continuesResponses: true,
  summary: 'A response, in the form of the OpenAI Responses API, by any configured provider',
  read(given) {
    const request = readSettings(given)
    const { safety_identifier: owner } = request.body
    const userLabel = request.userLabel ?? (typeof owner === 'string' ? owner.slice(0, 256) : null)
    return { ...request, userLabel }
  },
  exchange(provider, request) {
    const toExchange = provider.passthrough?.responses
    return toExchange ? passThrough(toExchange, request) : translate(provider, request)
  },
  promptText: ({ body }) => promptText(body),
  faultBody: (fault) => fault.body(),
  faultEvent,
}

/**
 * Reasoning that another provider's model left in the conversation would be refused: it is removed. A summary of ours
 * means nothing to the provider either: it gets the text.
 */
export function passThrough(
  toExchange: NonNullable<NonNullable<Provider['passthrough']>['responses']>,
  { raw, body, model, shownModel = model, isStream }: ClientRequest,
): ChatExchange {
  const request = { raw, body, model, requestedModel: shownModel, isStream }
  if (!Array.isArray(body['input']) || !mayHoldSeal(raw)) return toExchange(request)
  const readable = body['input'].map((item: unknown) => withPlainSummary(item))
  const input = readable.filter((item) => !isSealed(objectOf(item)['encrypted_content']))
  const kept = { ...body, input }
  const exchange = toExchange({ ...request, raw: Buffer.from(JSON.stringify(kept)), body: kept })
  const dropped = input.length < readable.length ? ['input.reasoning'] : []
  return { ...exchange, dropped: [...exchange.dropped, ...dropped] }
}

function translate(provider: Provider, request: ClientRequest): ChatExchange {
  const { model, shownModel = model, isStream, body } = request
  const chat = toChatRequest(body, isStream, provider)
  const chatRequest = {
    raw: chat.raw,
    body: chat.body,
    model,
    requestedModel: shownModel,
    isStream,
    wantsUsage: true,
  }
  const exchange = withClientNames(chat.clientNames, () => provider.chat(chatRequest))
  const context: ResponseContext = {
    provider,
    request: shownModel === model ? body : { ...body, model: shownModel },
    targets: chat.targets,
  }
  return {
    ...exchange,
    ...droppedFor(chat.clientNames, chat.dropped, exchange),
    response: (bytes) => toResponse(exchange.response(bytes), context),
    stream: () => new ResponseStream(exchange.stream(), context),
  }
}

/** The text of a request, from all of its items. */
function promptText(body: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') parts.push(value)
    else if (Array.isArray(value)) value.forEach(collect)
    else if (isObject(value))
      for (const name of ['text', 'content', 'arguments', 'input', 'output', 'summary', 'refusal'])
        collect(value[name])
  }
  collect(body['instructions'])
  collect(body['input'])
  if (arrayOf(body['tools']).length > 0) parts.push(JSON.stringify(body['tools']))
  return parts.join('\n')
}

function faultEvent({ code, message, param }: Fault, _requestId: string, number = 0): string {
  const event = { type: 'error', sequence_number: number, code, message, param }
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`
}
