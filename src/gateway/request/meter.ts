import type { RequestTimes } from '#kernel/http'
import type { Usage } from '../provider.ts'

/** The session of a coding assistant that a request belongs to, by the assistant's own ids. */
export interface SessionKeys {
  sessionKey: string | null
  /** Where a subagent of the session sends the request. */
  subagentKey: string | null
}

/**
 * What the gateway needs of the usage log. Every request, however it ends, is opened once and settled once; one that
 * goes upstream is opened before it does.
 */
export interface Meter {
  /** Rejects with a Fault when the request cannot be logged and must not be served. */
  open(entry: OpenEntry): Promise<MeteredRequest>
  /** False while every request would be refused because it cannot be logged. */
  accepts(): boolean
}

export interface MeteredRequest {
  /** The calls that failed so far, before the next one: a process that is killed in it leaves them in the log. */
  failed?(attempts: readonly Attempt[]): void
  settle(outcome: Outcome): void
}

export interface OpenEntry extends SessionKeys {
  requestId: string
  /** The time in the request id. */
  startedAt: Date
  groupId: string
  /** Null when a person tries a model in the playground. */
  apiKeyId: string | null
  /** The person who asks, or whose key asks. Not kept: the log finds it by the key. */
  userId?: string | null
  /** Null when the request ended before a provider or a key was chosen. */
  provider: string | null
  providerKeyId: string | null
  model: string
  endpoint: string
  isStream: boolean
  userLabel: string | null
  metadata: Readonly<Record<string, unknown>> | null
  /** The group's route that the request named; null without. */
  route?: string | null
  /** Logged without an event in the console, as requests for embeddings are. */
  isQuiet?: boolean
}

export interface Outcome {
  endedAt: Date
  /** 499 when the client disconnected. */
  statusCode: number
  errorMessage: string | null
  /** Milliseconds to the first byte of a streamed response. */
  ttftMs: number | null
  usage: Usage | null
  /** The provider responded, and may charge for it, but the response could not be read. */
  isUnread?: boolean
  /** The provider's own id of the request, where it gave one. */
  upstreamRequestId: string | null
  /** The texts to count tokens from when the provider reported none, or not all; null when nothing was produced. */
  estimateFrom: { prompt: string; delivered: string } | null
  /** Every call to a provider, in order, the last one included; absent where one call says no more than the row. */
  attempts?: readonly Attempt[]
  /** What answered, where it is not what the entry was opened with. */
  answeredBy?: { provider: string; providerKeyId: string; model: string }
  /** Milliseconds that the request waited for providers. */
  upstreamMs?: number
  /** Where the rest of the time went. Not kept. */
  times?: Readonly<RequestTimes>
}

/** One call to a provider. */
export interface Attempt {
  provider: string
  providerKeyId: string
  model: string
  /** Null when no response came. */
  statusCode: number | null
  /** Why the next target was tried, or why none could be. */
  errorCode: string | null
  startedAt: Date
  durationMs: number
  /** What the provider reported; of the last attempt it is the outcome's own. */
  usage: Usage | null
  /** The target was passed over without a call, for the reason in `errorCode`. */
  isSkipped?: boolean
}
