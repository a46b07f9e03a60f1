import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Attributes } from './spans.ts'

/** The numbers of `SpanKind` in OTLP. */
export const kinds = { server: 2, client: 3 } as const

export interface Span {
  traceId: string
  id: string
  parentId: string | undefined
  state?: string | undefined
  name: string
  kind: number
  /** Milliseconds since 1970, with fractions. */
  startedAt: number
  endedAt: number
  attributes: Attributes
}

/** Of these the conventions want a number with fractions, also where it has none. */
const doubles = new Set(['gen_ai.response.time_to_first_chunk'])
const failed = { code: 2 }

/** A span in the JSON encoding of OTLP: IDs are hexadecimal, numbers of 64 bits are strings. */
export function writeSpan({ id, parentId, state, name, kind, ...span }: Span): string {
  return JSON.stringify({
    traceId: span.traceId,
    spanId: id,
    parentSpanId: parentId,
    traceState: state,
    name,
    kind,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(Math.max(span.startedAt, span.endedAt)),
    attributes: writeAttributes(span.attributes),
    status: span.attributes['error.type'] ? failed : undefined,
  })
}

/** To the microsecond: more digits would exceed what a number holds. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`

function writeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: writeValue(key, value) }],
  )
}

function writeValue(key: string, value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) && !doubles.has(key) ? { intValue: String(value) } : { doubleValue: value }
}

/** What the spans of this process have in common. */
export function resourceOf(service: string, version: string): string {
  return JSON.stringify({
    attributes: writeAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': hostname(),
    }),
  })
}

/** The request for a batch of written spans. */
export const writeRequest = (resource: string, spans: readonly string[]): string =>
  `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"signalbox"},"spans":[${spans.join(',')}]}]}]}`
