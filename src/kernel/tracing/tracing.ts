import { contextFrom, newId, traceparentOf, type TraceContext } from './context.ts'
import type { Attributes, CallSpan, RequestSpan, Tracing, TracingDeps } from './spans.ts'
import { kinds, resourceOf, writeSpan, type Span } from './otlp.ts'
import { SpanQueue } from './span-queue.ts'

/** Traces for a collector, by OTLP over HTTP. */
export function createTracing(deps: TracingDeps, endpoint: string): Tracing {
  const { config, log, metrics, version } = deps
  const queue = new SpanQueue({
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    resource: resourceOf(config.OTEL_SERVICE_NAME, version),
    log,
    registry: metrics.registry,
  })
  queue.start()
  const share = config.OTEL_TRACES_SAMPLER_ARG
  const isChosen = (): boolean => Math.random() < share
  return {
    begin: (name, headers) =>
      new ServerSpan(name, contextFrom(headers, isChosen), (span) => queue.add(writeSpan(span))),
    stop: () => queue.stop(),
  }
}

type Report = (span: Span) => void

class ServerSpan implements RequestSpan {
  readonly #name: string
  readonly #context: TraceContext
  readonly #report: Report
  readonly #id = newId(8)
  readonly #startedAt = Date.now()
  /** Calls begin and end by the same clock, so that they lie within the request even when the time is set. */
  readonly #clock = performance.now()
  #attributes: Attributes = {}
  #holders = 1

  constructor(name: string, context: TraceContext, report: Report) {
    this.#name = name
    this.#context = context
    this.#report = report
  }

  add(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes }
  }

  call(): CallSpan {
    const id = newId(8)
    const startedAt = this.#now()
    const traceparent = traceparentOf(this.#context, id)
    const end: CallSpan['end'] = (name, attributes) =>
      this.#send({ id, parentId: this.#id, name, kind: kinds.client, startedAt, attributes })
    return { traceparent, end }
  }

  hold(): void {
    this.#holders++
  }

  end(): void {
    if (--this.#holders > 0) return
    const { parentId, state } = this.#context
    const [id, name, startedAt] = [this.#id, this.#name, this.#startedAt]
    this.#send({ id, parentId, state, name, kind: kinds.server, startedAt, attributes: this.#attributes })
  }

  #now(): number {
    return this.#startedAt + performance.now() - this.#clock
  }

  #send(span: Omit<Span, 'traceId' | 'endedAt'>): void {
    const { traceId, isSampled } = this.#context
    if (isSampled) this.#report({ ...span, traceId, endedAt: this.#now() })
  }
}
