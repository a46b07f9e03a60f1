import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '#kernel/config'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'

/** With `error.type` among them the span has failed. A value that is null or undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

/** What is known of a request, as a span of OpenTelemetry. */
export interface RequestSpan {
  add(attributes: Attributes): void
  /** Begins a span for a call to another server. */
  call(): CallSpan
  /** Somebody else will end it too; it lasts until the last of them does. */
  hold(): void
  end(): void
}

export interface CallSpan {
  /** The header that tells the other server of the trace. */
  readonly traceparent: string
  end(name: string, attributes: Attributes): void
}

export interface Tracing {
  /** Continues the trace that the headers name, or begins one. */
  begin(name: string, headers: IncomingHttpHeaders): RequestSpan
  /** Sends what waits, for a few seconds at most. */
  stop(): Promise<void>
}

export interface TracingDeps {
  config: Config
  log: Log
  metrics: Metrics
  version: string
}
