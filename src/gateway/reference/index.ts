import type { RouteDocs } from '#kernel/http'
import { chatDocs } from './chat.ts'
import { countTokensDocs, messagesDocs } from './messages.ts'
import { compactDocs, inputTokensDocs, responsesDocs } from './responses.ts'
import { errorBody, passedErrors } from './streams.ts'

export { transcriptionDocs } from './transcription.ts'

interface Reference {
  operationId: string
  summary: string
  description: string
  docs: RouteDocs
}

const dropped =
  'A field that the provider cannot honour and the response does not depend on is left out; the header `X-Signalbox-Dropped` names it.'

/** The document has no place for WebSockets, whose handshake no HTTP client can finish. */
const overWebSocket =
  'The same address is a WebSocket for `GET`. Each message of the client is a JSON object: `"type": "response.create"` and the fields of this request, without `stream`. The events come back as messages, one JSON object each; `response.created` has the response headers `X-Request-ID` and `X-Signalbox-Dropped` in a member `headers`; an error is an event of the type `error` with `status`, `error` and `headers`. One response runs at a time, and at most 8 messages wait. `previous_response_id` continues the last response of the connection, with `"store": false` too; `"generate": false` only remembers the input. Every message is checked, limited and logged as a request of its own.'

/** How the API document describes each API, by its path. */
export const reference: Readonly<Record<string, Reference>> = {
  '/v1/chat/completions': {
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
    description: `OpenAI's Chat Completions, for the models of every provider. ${dropped}`,
    docs: chatDocs,
  },
  '/v1/responses': {
    operationId: 'createResponse',
    summary: 'Create a response',
    description: `OpenAI's Responses, for the models of every provider. ${dropped}\n\n${overWebSocket}`,
    docs: responsesDocs,
  },
  '/v1/responses/compact': {
    operationId: 'compactResponse',
    summary: 'Compact a conversation',
    description:
      'Returns a conversation in a shorter form. Send `output` back as the beginning of the next `input`. OpenAI models compact by their own route; other models write a summary, which is an item that any model of Signalbox can read.',
    docs: compactDocs,
  },
  '/v1/responses/input_tokens': {
    operationId: 'countResponseTokens',
    summary: 'Count the input tokens of a response',
    description: 'As the provider counts them, or by an estimate. Free of charge.',
    docs: inputTokensDocs,
  },
  '/v1/messages': {
    operationId: 'createMessage',
    summary: 'Create a message',
    description: `Anthropic's Messages, for the models of every provider. Errors have Anthropic's format. ${dropped}`,
    docs: messagesDocs,
  },
  '/v1/messages/count_tokens': {
    operationId: 'countMessageTokens',
    summary: 'Count the input tokens of a message',
    description: 'As the provider counts them, or by an estimate. Free of charge.',
    docs: countTokensDocs,
  },
}

export const playgroundDocs = chatDocs

export const syncDocs: RouteDocs = {
  noBody: true,
  errors: ['noProviderKey', 'provider', 'providerTimeout', 'rateLimit'],
  response: {
    ...passedErrors(errorBody),
    303: { description: 'For browsers that ask for HTML: redirects to the page.' },
  },
}
