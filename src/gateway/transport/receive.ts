import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import type { Fault } from '#kernel/errors'
import { whenClosed } from '#kernel/http'
import type { KeyMask } from '#kernel/log'
import { clientDisconnected, damaged, headersWithoutKey, tooLarge, toFault } from './faults.ts'
import type { Upstream, UpstreamCall } from './upstream.ts'

/** What is written to a client: a response over HTTP, or one within the process. */
export interface ClientResponse {
  readonly closed: boolean
  readonly writableFinished: boolean
  readonly writableNeedDrain: boolean
  once(event: 'close' | 'drain', work: () => void): unknown
  write(piece: string | Uint8Array): boolean
  end(): unknown
  destroy(): unknown
}

/** Whether the client still listens. Lighter than an AbortSignal: every request makes one of these. */
export class ClientConnection {
  isClosed = false
  #onClose: (() => void) | undefined

  constructor(response: Pick<ClientResponse, 'closed' | 'writableFinished' | 'once'>) {
    whenClosed(response, () => {
      if (response.writableFinished) return
      this.isClosed = true
      this.#onClose?.()
    })
  }

  /** Calls back when the client disconnects, at once if it already has. Only the last callback counts. */
  onClose(callback: () => void): void {
    if (this.isClosed) callback()
    else this.#onClose = callback
  }
}

export interface WholeResponse {
  readonly kind: 'whole'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * Makes a call and waits for the whole response, without the key. A client that disconnects cancels it at once, and so
 * does the end of the request's time.
 */
export function receiveWhole(
  upstream: Upstream,
  call: UpstreamCall,
  client?: ClientConnection,
  time?: TimeLimit,
): Promise<WholeResponse> {
  let receiver: Receiver
  const received = new Promise<WholeResponse>((resolve, reject) =>
    upstream.dispatch(call, (receiver = new Receiver(call.mask, client, resolve, reject))),
  )
  return time ? withinTime(received, time, (fault) => receiver.giveUp(fault)) : received
}

/** How long a request may take, and the fault when it takes longer. */
export interface TimeLimit {
  readonly ms: number
  fault(): Fault
}

/** Gives the work up when its time is over. */
export async function withinTime<T>(
  work: Promise<T>,
  { ms, fault }: TimeLimit,
  giveUp: (fault: Fault) => void,
): Promise<T> {
  const timer = setTimeout(() => giveUp(fault()), ms)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

const maxBytes = 64 * 1024 * 1024
/** Far more than an error has to say; the rest is not waited for. */
const maxErrorBytes = 256 * 1024

/** Collects a response up to a limit, and decompresses it when the provider compressed it unasked. */
export class Receiver implements Dispatcher.DispatchHandler {
  readonly #mask: KeyMask
  readonly #client: ClientConnection | undefined
  readonly #resolve: (response: WholeResponse) => void
  readonly #reject: (fault: Fault) => void
  readonly #pieces: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #givenUp: Fault | undefined
  #bytes = 0
  #status = 0
  #headers: IncomingHttpHeaders = {}

  constructor(
    mask: KeyMask,
    client: ClientConnection | undefined,
    resolve: (response: WholeResponse) => void,
    reject: (fault: Fault) => void,
  ) {
    this.#mask = mask
    this.#client = client
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#givenUp) return controller.abort(this.#givenUp)
    this.#controller = controller
    return this.#client?.onClose(() => controller.abort(clientDisconnected()))
  }

  /** Ends the call, also one that still waits for its connection. */
  giveUp(fault: Fault): void {
    if (this.#controller) return this.#controller.abort(fault)
    this.#givenUp = fault
    return this.#reject(fault)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#bytes += piece.length
    this.#pieces.push(piece)
    if (this.#bytes > maxBytes) controller.abort(tooLarge())
    if (this.#isError && this.#bytes > maxErrorBytes) {
      this.onResponseEnd()
      controller.abort(tooLarge())
    }
  }

  onResponseEnd(): void {
    try {
      this.#resolve({ kind: 'whole', status: this.#status, ...this.#withoutKey() })
    } catch (error) {
      this.#reject(toFault(error))
    }
  }

  /** Also called for whatever the methods above throw. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(toFault(error))
  }

  get #isError(): boolean {
    return this.#status < 200 || this.#status >= 300
  }

  /** An error may quote the key in any encoding. Good responses are many and long: there only the key as it is counts. */
  #withoutKey(): Pick<WholeResponse, 'headers' | 'body'> {
    const body = this.#body()
    if (!this.#isError) return { headers: this.#headers, body: this.#mask.plainBytes(body) }
    return {
      headers: headersWithoutKey(this.#headers, this.#mask),
      body: Buffer.from(this.#mask.text(body.toString())),
    }
  }

  #body(): Buffer {
    const [only] = this.#pieces
    const body = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces)
    try {
      return decompress(body, this.#headers['content-encoding'])
    } catch (error) {
      throw damaged(error)
    }
  }
}

function decompress(body: Buffer, encoding: string | undefined): Buffer {
  const limit = { maxOutputLength: maxBytes }
  if (encoding === 'gzip') return gunzipSync(body, limit)
  if (encoding === 'br') return brotliDecompressSync(body, limit)
  if (encoding === 'deflate') return inflateSync(body, limit)
  return body
}

/** Headers by which a provider tells its clients when to call again. */
export const limitHeader = /^(retry-after|retry-after-ms|x-should-retry|([a-z]+-)?ratelimit(-.+)?)$/

/** Under this name clients get the provider's own id of the request: the usual names are those of our own. */
export const upstreamIdHeader = 'x-upstream-request-id'

/** What clients read of the headers of a good response. */
export function providerHeaders(headers: IncomingHttpHeaders, mask: KeyMask): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (typeof value === 'string' && limitHeader.test(name)) kept[name] = masked(value, mask)
  }
  const id = upstreamIdOf(headers, mask)
  if (id !== null) kept[upstreamIdHeader] = id
  return kept
}

/** No encoding of a key fits into less, and most values are numbers. */
const shortestQuote = 12

const masked = (value: string, mask: KeyMask): string =>
  value.length < shortestQuote ? value : mask.text(value)

export function upstreamIdOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  /** Not needed for errors, which are masked as a whole. */
  mask?: KeyMask,
): string | null {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['x-goog-request-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id) ? (mask ? masked(id, mask) : id) : null
}
