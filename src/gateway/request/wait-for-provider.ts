import type { RequestLog } from './log-request.ts'
import { traceCall, type TracedCall } from './trace.ts'

/** Makes a call to a provider; its time counts as the provider's, however it ends. */
export async function waitForProvider<T>(
  { entry, outcome, span }: RequestLog,
  { call, model }: Pick<TracedCall, 'call' | 'model'>,
  send: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  const { endpoint, provider, isStream } = entry
  try {
    if (!span) return await send()
    return await traceCall(span, { call, model, endpoint, isStream, provider: provider ?? '' }, send)
  } finally {
    outcome.upstreamMs = (outcome.upstreamMs ?? 0) + Math.round(performance.now() - startedAt)
  }
}
