import type { EndpointName, ProviderName } from './names.ts'
import type { RecordedRequest } from './record.ts'

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** Token counts in OpenAI's sense: `input` includes cached tokens, `output` includes reasoning. */
export interface Usage {
  input: number
  cached: number
  cacheWrite: number
  output: number
  reasoning: number
}

/** An error in the provider's own body shape; what is left out is what the provider would say. */
export interface ErrorSpec {
  status: number
  message?: string
  type?: string
  code?: string
  retryAfter?: number
}

export type BodyPart = string | Uint8Array
export type BodyParts = Iterable<BodyPart> | AsyncIterable<BodyPart>

/** What the model says; every absent field keeps the default answer to that request. */
interface AnswerSpec {
  text?: string
  /** The text, repeated, one stream chunk each: for long and huge replies. */
  repeat?: { text: string; times: number }
  reasoning?: string
  toolCalls?: { name: string; arguments?: unknown; id?: string }[]
  refusal?: string
  finish?: Finish
  /** The provider's own finish word (`pause_turn`, `CONTINUATION`, `RECITATION`) instead of `finish`. */
  nativeFinish?: string
  /** Gemini only: no candidates, `promptFeedback.blockReason` instead. */
  blockReason?: string
  usage?: Partial<Usage>
  /** Skip the credential and field checks of the provider. */
  unchecked?: boolean
}

/** Said instead of an answer; at most one of these. None of them checks the request. */
interface InsteadSpec {
  error?: ErrorSpec
  /** A body as it stands: text and bytes are sent raw, an object as JSON, parts as they come. */
  body?: BodyPart | BodyParts | { json: unknown }
  /** Raw stream frames, sent one by one as `text/event-stream`. */
  frames?: BodyParts
  redirect?: string
  /** Never answer, or send the headers and then nothing. */
  hang?: 'before-headers' | 'after-headers'
}

/** How the bytes leave. A chunk is one stream event, or the whole body of a plain reply. */
export interface DeliverySpec {
  status?: number
  headers?: Record<string, string>
  headersAfterMs?: number
  chunkEveryMs?: number
  /** Cut the bytes at these sizes (the last one repeats), without regard for characters. */
  slice?: number | number[]
  gzip?: boolean
  /** End the body in good HTTP form after this many bytes: broken JSON, half an event. */
  truncateBytes?: number
  /** End the stream in good HTTP form after this many chunks: no end marker. */
  endAfterChunks?: number
  /** The provider's error event after this many chunks, then the end. */
  streamError?: { afterChunks: number } & Partial<ErrorSpec>
  /** A TCP reset. */
  reset?: 'before-headers' | 'after-headers' | { afterChunks: number } | { afterBytes: number }
}

export type Reply = AnswerSpec & InsteadSpec & DeliverySpec
export type ReplySource = Reply | ((request: RecordedRequest) => Reply | Promise<Reply>)

/** Which requests a reply is for. Without `endpoint` model listings are left alone. */
export interface Match {
  provider?: ProviderName
  endpoint?: EndpointName
  model?: string
}
