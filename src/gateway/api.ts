import type { Fault } from '#kernel/errors'
import type { ChatExchange, Provider } from './providers/index.ts'

/**
 * One of the forms in which clients ask for an answer. Pure functions, as the providers are: a dialect reads requests
 * and words answers, and every model of every provider can be reached through each of them.
 */
export interface Dialect {
  /** Where clients send it; the usage log has it as the endpoint. */
  readonly path: string
  /** For the API reference. */
  readonly summary: string
  /** Reads what the client asks for. Throws a Fault that names the field it cannot honour. */
  read(given: ClientBody, headers: ClientHeaders): ClientRequest
  /** How the provider is asked, and how what it answers is told in this dialect. Throws a Fault that names a field. */
  exchange(provider: Provider, request: ClientRequest): ChatExchange
  /** The words of the request, for counting tokens when the provider never says how many. */
  promptText(request: ClientRequest): string
  /** A fault as clients of this dialect read it. */
  faultBody(fault: Fault, requestId: string): object
  /** The same inside a stream that has begun: the last event before its end. */
  faultEvent(fault: Fault, requestId: string): string
  /** The header in which clients of this dialect look for the request's id, besides x-request-id. */
  readonly idHeader?: string
}

/** Headers as they came. */
export type ClientHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A JSON object that names a model, and the bytes it came in. */
export interface ClientBody {
  readonly raw: Uint8Array
  readonly body: Readonly<Record<string, unknown>>
  readonly model: string
}

/** What the gateway itself must know of a request; everything else is the dialect's and the provider's to judge. */
export interface ClientRequest extends ClientBody {
  readonly isStream: boolean
  readonly userLabel: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** Headers that are part of the request in this dialect, for a provider that speaks it itself. */
  readonly headers?: Readonly<Record<string, string>>
}
