import type { Tracing, TracingDeps } from './spans.ts'

export type { Attributes, RequestSpan, Tracing } from './spans.ts'

/** Undefined, and none of its code is loaded, where no collector is set. */
export async function openTracing(deps: TracingDeps): Promise<Tracing | undefined> {
  if (deps.config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined
  const { createTracing } = await import('./tracing.ts')
  return createTracing(deps, deps.config.OTEL_EXPORTER_OTLP_ENDPOINT)
}
