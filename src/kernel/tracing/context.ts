import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Where a span is in its trace, by the Trace Context of the W3C. */
export interface TraceContext {
  traceId: string
  /** The caller's span; undefined where the trace begins here. */
  parentId: string | undefined
  isSampled: boolean
  /** Of the caller's tools. It goes to the collector, never to a provider. */
  state: string | undefined
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/
const zeros = /^0+$/
const stateLength = 512

/** A header that is not valid counts as none, as the standard wants it. The caller's choice to sample is followed. */
export function contextFrom(headers: IncomingHttpHeaders, isChosen: () => boolean): TraceContext {
  const { traceparent, tracestate } = headers
  const [, version, traceId = '', parentId = '', flags = '', more] =
    (typeof traceparent === 'string' && pattern.exec(traceparent)) || []
  const isValid =
    version !== undefined &&
    version !== 'ff' &&
    (version !== '00' || more === undefined) &&
    !zeros.test(traceId) &&
    !zeros.test(parentId)
  if (!isValid) return { traceId: newId(16), parentId: undefined, isSampled: isChosen(), state: undefined }
  const state = typeof tracestate === 'string' && isState(tracestate) ? tracestate : undefined
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state }
}

const isState = (text: string): boolean => text.length <= stateLength && /^[\x20-\x7e]+$/.test(text)

export function newId(bytes: 8 | 16): string {
  const id = randomBytes(bytes).toString('hex')
  return zeros.test(id) ? newId(bytes) : id
}

export const traceparentOf = ({ traceId, isSampled }: TraceContext, spanId: string): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
