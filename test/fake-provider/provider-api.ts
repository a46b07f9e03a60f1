import type { Identifiers } from './identifiers.ts'
import type { PromptCache } from './prompt-cache.ts'
import type { RecordedRequest } from './record.ts'
import type { EndpointName, ProviderName } from './names.ts'
import type { BodyPart, BodyParts, ErrorSpec, Reply } from './reply.ts'

/** What goes out: a plain body, or the frames of a stream. */
export interface Outgoing {
  status: number
  headers: Record<string, string>
  body: BodyPart | BodyParts
  streamed: boolean
}

export interface Exchange {
  request: RecordedRequest
  reply: Reply
  identifiers: Identifiers
  cache: PromptCache
}

export interface Endpoint {
  name: EndpointName
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  respond(exchange: Exchange): Outgoing
}

/** The API of one provider. `authenticate` and `respond` throw `Refused`. */
export interface ProviderApi {
  name: ProviderName
  endpoints: Endpoint[]
  authenticate(request: RecordedRequest): void
  /** The error body, status and headers of this provider. */
  fault(error: ErrorSpec): Outgoing
  /** The event by which this provider reports an error after the stream has begun. */
  streamFault(error: Partial<ErrorSpec>, request: RecordedRequest): string
  /** Headers on every answer. */
  headers(exchange: Exchange): Record<string, string>
}

/** The provider refuses the request; the server turns it into the provider's error. */
export class Refused extends Error {
  readonly outgoing: Outgoing

  constructor(message: string, outgoing: Outgoing) {
    super(message)
    this.outgoing = outgoing
  }
}

export function jsonBody(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
  indent?: number,
): Outgoing {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value, null, indent),
    streamed: false,
  }
}

export function eventStream(frames: BodyParts, headers: Record<string, string> = {}): Outgoing {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    body: frames,
    streamed: true,
  }
}
