import { Fault } from '#kernel/errors'
import type { Attributes, RequestSpan } from '#kernel/tracing'
import { conventionalName } from '../providers/index.ts'
import type { Usage } from '../provider.ts'
import type { UpstreamCall } from '../transport/upstream.ts'
import type { OpenEntry, Outcome } from './meter.ts'

/*
 * Names of the GenAI conventions of OpenTelemetry. A span has what the usage log has, and never a prompt, a response, a
 * key or the text of an error.
 */

/** A call to a provider, for its span. */
export interface TracedCall {
  readonly call: UpstreamCall
  readonly endpoint: string
  readonly provider: string
  readonly model: string
  readonly isStream: boolean
  /** Asked when the call has ended. */
  result?(): { status: number | null; usage: Usage | null; ttftMs: number | null }
}

/** Makes a call as a part of the request's trace; the provider gets its `traceparent`. */
export async function traceCall<T>(span: RequestSpan, made: TracedCall, send: () => Promise<T>): Promise<T> {
  const traced = span.call()
  made.call.headers['traceparent'] = traced.traceparent
  let error: unknown = null
  try {
    const result = await send()
    // A stream that broke off resolves with its fault.
    error = result
    return result
  } catch (thrown) {
    error = thrown ?? undefined
    throw thrown
  } finally {
    const operation = operationOf(made.endpoint)
    traced.end(`${operation} ${made.model.slice(0, 200)}`, {
      ...callAttributes(made, operation),
      ...failure(error),
    })
  }
}

function callAttributes(
  { call, provider, model, isStream, result }: TracedCall,
  operation: string,
): Attributes {
  const { hostname, port, protocol } = new URL(call.baseUrl)
  const { status, usage, ttftMs } = result?.() ?? { status: null, usage: null, ttftMs: null }
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': conventionalName(provider),
    'gen_ai.request.model': model,
    'gen_ai.request.stream': isStream,
    'gen_ai.response.time_to_first_chunk': ttftMs === null ? null : ttftMs / 1000,
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    'http.response.status_code': status,
    ...usageAttributes(usage),
  }
}

const failure = (error: unknown): Attributes =>
  error instanceof Fault
    ? { 'error.type': error.code }
    : error instanceof Error
      ? { 'error.type': error.name }
      : {}

/** What the log entry knows, on the span of the request. */
export function describeRequest(span: RequestSpan, entry: OpenEntry, outcome: Outcome): void {
  const { provider, model } = outcome.answeredBy ?? entry
  const { statusCode } = outcome
  span.add({
    'gen_ai.operation.name': operationOf(entry.endpoint),
    'gen_ai.provider.name': provider === null ? null : conventionalName(provider),
    // Without a provider the model is whatever the client wrote.
    'gen_ai.request.model': provider === null ? null : entry.model,
    'gen_ai.response.model': provider === null || statusCode >= 400 ? null : model,
    'gen_ai.request.stream': entry.isStream,
    'gen_ai.conversation.id': entry.sessionKey,
    ...usageAttributes(outcome.usage),
    'signalbox.group_id': entry.groupId,
    'signalbox.api_key_id': entry.apiKeyId,
    'signalbox.route': entry.route,
    'signalbox.upstream_ms': outcome.upstreamMs,
    'error.type': statusCode >= 400 ? String(statusCode) : null,
  })
}

function usageAttributes(usage: Usage | null): Attributes {
  if (!usage) return {}
  const { uncached, cacheRead, cacheWrite, cacheWriteLong, output, reasoning } = usage
  return {
    'gen_ai.usage.input_tokens': uncached + cacheRead + cacheWrite + cacheWriteLong,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite + cacheWriteLong,
    'gen_ai.usage.reasoning.output_tokens': reasoning,
  }
}

/** The conventions name `chat` and `embeddings`; the others are ours. */
function operationOf(endpoint: string): string {
  if (endpoint.includes('/embed')) return 'embeddings'
  if (endpoint.includes('/audio/')) return 'transcription'
  if (endpoint.includes('tokens')) return 'count_tokens'
  return endpoint.includes('{response_id}') ? 'stored_response' : 'chat'
}
