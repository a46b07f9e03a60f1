import type { Fault } from '#kernel/errors'
import type { ChatExchange, Provider } from './provider.ts'

/**
 * An API that clients use: Chat Completions, Responses or Messages. Pure functions, like the providers: an API reads
 * requests and writes responses, and every model of every provider can be reached through each of them.
 */
export interface Api {
  /** The route; the usage log names it as the endpoint. */
  readonly path: string
  /** For the API reference. */
  readonly summary: string
  /** A request may continue a response that its provider has stored. */
  readonly continuesResponses?: boolean
  /** Reads the client's request. Throws a Fault that names an invalid field. */
  read(given: ClientBody, headers: ClientHeaders): ClientRequest
  /** How to call the provider, and how to write its response in this API's format. Throws a Fault that names a field. */
  exchange(provider: Provider, request: ClientRequest): ChatExchange
  /** The text of the request, to count tokens when the provider does not report them. */
  promptText(request: Pick<ClientRequest, 'body'>): string
  /** A fault in this API's format. */
  faultBody(fault: Fault, requestId: string): object
  /** The status that goes with it, where clients of this API expect another. */
  readonly faultStatus?: (fault: Fault) => number
  /** The same as the last event of a stream that has started; its number, where events have one. */
  faultEvent(fault: Fault, requestId: string, number?: number): string
  /** Where clients of this API look for the request id, besides x-request-id. */
  readonly idHeader?: string
}

/** Headers as the client sent them. */
export type ClientHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A JSON object and its bytes. `model` is empty where it names none, and the route `default` of the group is meant. */
export interface ClientBody {
  readonly raw: Uint8Array
  readonly body: Readonly<Record<string, unknown>>
  readonly model: string
}

/** What the gateway itself reads of a request; all else is up to the API and the provider. */
export interface ClientRequest extends ClientBody {
  readonly isStream: boolean
  readonly userLabel: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** The model's name in responses, where the request is sent with another. */
  readonly shownModel?: string
  /** Headers that belong to the request in this API, for a provider that has the same API. */
  readonly headers?: Readonly<Record<string, string>>
}
