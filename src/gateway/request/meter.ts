import type { FastifyRequest } from 'fastify'
import { groupOf, principalOf, requestTime } from '#kernel/http'
import type { Usage } from '../provider.ts'

/**
 * The usage feature's door, as the gateway sees it. For every request, whatever its end, there is exactly one
 * `open` and one `settle`; a request that goes upstream is opened before it does.
 */
export interface Meter {
  /** Rejects with a Fault when the request cannot be entered and must not be served. */
  open(entry: OpenEntry): Promise<MeteredRequest>
}

export interface MeteredRequest {
  settle(outcome: Outcome): void
}

export interface OpenEntry {
  requestId: string
  /** The time in the request's id. */
  startedAt: Date
  groupId: string
  /** Null when a person tries a model in the playground. */
  apiKeyId: string | null
  /** Null where the request ended before a provider or a key was chosen. */
  provider: string | null
  providerKeyId: string | null
  model: string
  endpoint: string
  isStream: boolean
  userLabel: string | null
  metadata: Readonly<Record<string, unknown>> | null
}

export interface Outcome {
  endedAt: Date
  /** 499 when the client went away. */
  statusCode: number
  errorMessage: string | null
  /** Milliseconds to the first byte of a streamed answer. */
  ttftMs: number | null
  usage: Usage | null
  /** The texts to count tokens from when the provider never said, or not to the end; null when nothing was produced. */
  estimateFrom: { prompt: string; delivered: string } | null
}

export function newEntry(request: FastifyRequest, endpoint: string): OpenEntry {
  return {
    requestId: request.id,
    startedAt: requestTime(request.id),
    groupId: groupOf(request).id,
    apiKeyId: principalOf(request).key?.id ?? null,
    provider: null,
    providerKeyId: null,
    model: '',
    endpoint,
    isStream: false,
    userLabel: null,
    metadata: null,
  }
}

export function newOutcome(): Outcome {
  return {
    endedAt: new Date(),
    statusCode: 200,
    errorMessage: null,
    ttftMs: null,
    usage: null,
    estimateFrom: null,
  }
}
