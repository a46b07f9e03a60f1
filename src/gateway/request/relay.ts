import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Fault } from '#kernel/errors'
import type { StreamReader } from '../provider.ts'
import { compressedStream, endlessStream, toFault, withoutKey } from '../transport/faults.ts'
import type { KeepAlive, QuietStream } from '../transport/keep-alive.ts'
import {
  Receiver,
  withinTime,
  type ClientConnection,
  type ClientResponse,
  type TimeLimit,
  type WholeResponse,
} from '../transport/receive.ts'
import type { Upstream, UpstreamCall } from '../transport/upstream.ts'
import type { Answering } from './client.ts'

/** A call whose response is sent to the client as it comes. */
export interface RelayJob {
  call: UpstreamCall
  client: ClientConnection
  reader: StreamReader
  response: ClientResponse
  /** Without one, silence is not filled. */
  keepAlive?: KeepAlive
  /** Whether a successful response with this content type is a stream; any other is collected. */
  isStream(contentType: string): boolean
  /** Called when the provider's headers are there, whatever its status. */
  received(headers: IncomingHttpHeaders, status: number): void
  /** For the first byte to the client; without it there is no such limit. */
  firstByte?: TimeLimit | undefined
  /** For the whole response. */
  time?: TimeLimit | undefined
  /** Another call may follow when this one fails: the client gets nothing before the first event, nor soon a keep-alive. */
  isReplaceable?: boolean
  /** Status and headers are sent at once, not with the first event. */
  beginsAtOnce?: boolean
  /** Writes status and headers, just before the first byte. */
  begin(contentType: string, headers: IncomingHttpHeaders): void
  /** The last event of a stream that breaks off. */
  faultEvent(fault: Fault): string
}

/** How a stream ended whose status and headers the client already has. */
export interface StreamEnd {
  readonly kind: 'stream'
  /** Already reported inside the stream. */
  readonly fault: Fault | null
  readonly ttftMs: number | null
}

/**
 * Forwards a stream as it comes, or returns the whole response where the provider sent no stream. A slow client pauses
 * the provider, so nothing piles up in memory; a client that disconnects, or takes longer to catch up than a provider
 * may be silent, cancels the call. Rejects when nothing was sent to the client yet: a provider whose first event is an
 * error has refused the request.
 */
export function relay(upstream: Upstream, job: RelayJob): Promise<WholeResponse | StreamEnd> {
  let relayed: Relay
  const end = new Promise<WholeResponse | StreamEnd>((resolve, reject) => {
    try {
      upstream.dispatch(job.call, (relayed = new Relay(job, upstream.timeoutMs, resolve, reject)))
    } catch (error) {
      reject(toFault(error))
    }
  })
  const { time, firstByte } = job
  const timed = time ? withinTime(end, time, (fault) => relayed.giveUp(fault)) : end
  return firstByte ? withinTime(timed, firstByte, (fault) => relayed.giveUpSilent(fault)) : timed
}

/** From here on the response is written directly, no longer by Fastify. */
export function beginStream(reply: Answering, contentType: string, more: OutgoingHttpHeaders): void {
  void reply.hijack()
  const headers: OutgoingHttpHeaders = {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...more,
    'content-type': contentType,
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  }
  reply.raw.writeHead(200, headers)
}

/** What waits for it runs right after the read, as with `process.nextTick`, which costs several times as much. */
const soon = Promise.resolve()
const nothing = new Uint8Array()
/** More than any model writes. The delivered text is kept until the tokens are counted, so it must have an end. */
const maxStreamBytes = 256 * 1024 * 1024

class Relay extends Receiver implements QuietStream {
  silence = 0
  readonly #job: RelayJob
  readonly #timeoutMs: number
  readonly #done: (end: StreamEnd) => void
  readonly #startedAt = performance.now()
  readonly #failed: (fault: Fault) => void
  #ttftMs: number | null = null
  /** The headers of a stream, once they have come. */
  #stream: IncomingHttpHeaders | undefined
  #hasBegun = false
  #wasSilent = false
  #isOver = false
  #endsAtBoundary = true
  #streamedBytes = 0
  #gathered: Buffer[] = []
  #unread: NodeJS.Timeout | undefined

  constructor(
    job: RelayJob,
    timeoutMs: number,
    resolve: (result: WholeResponse | StreamEnd) => void,
    reject: (fault: Fault) => void,
  ) {
    super(job.call.mask, job.client, resolve, reject)
    this.#job = job
    this.#timeoutMs = timeoutMs
    this.#done = resolve
    this.#failed = reject
  }

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    super.onResponseStart(controller, status, headers)
    this.#job.received(headers, status)
    const contentType = headers['content-type'] ?? ''
    if (status < 200 || status >= 300 || !this.#job.isStream(contentType)) return
    if (headers['content-encoding']) throw compressedStream()
    this.#stream = headers
    if (this.#job.beginsAtOnce) this.#begin(headers)
    this.#job.keepAlive?.add(this)
  }

  override onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (!this.#stream) return super.onResponseData(controller, piece)
    this.#streamedBytes += piece.length
    if (this.#streamedBytes > maxStreamBytes) return controller.abort(endlessStream())
    this.#ttftMs ??= Math.round(performance.now() - this.#startedAt)
    // Many pieces can come out of one read from the network. They are sent together when it is done, without waiting:
    // Node would hold their bytes back that long anyway, and one write costs far less than many.
    if (this.#gathered.push(piece) === 1) void soon.then(() => this.#forward(controller))
    return undefined
  }

  override onResponseEnd(): void {
    if (!this.#stream) return super.onResponseEnd()
    try {
      this.#flush()
      this.#write(this.#job.reader.end())
      this.#finish(null)
    } catch (error) {
      this.#finish(toFault(error))
    }
    return undefined
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#stream) return super.onResponseError(controller, error)
    try {
      this.#flush()
      // What the provider itself reported before says more than that the connection broke.
      this.#job.reader.push(nothing)
      this.#finish(toFault(error))
    } catch (earlier) {
      this.#finish(toFault(earlier))
    }
    return undefined
  }

  ping(): void {
    // Passthrough pieces may end inside a line, where a comment would break it.
    if (!this.#endsAtBoundary || this.#job.response.writableNeedDrain || !this.#stream) return
    if (!this.#hasBegun && this.#mayBeReplaced()) return
    if (!this.#hasBegun) this.#begin(this.#stream)
    this.#job.response.write(': keep-alive\n\n')
  }

  /**
   * The comment would be the first byte, after which no other call is made. So the first one is left out; but proxies
   * close connections that stay silent for a minute, and a provider that responded with 200 is mostly thinking.
   */
  #mayBeReplaced(): boolean {
    const { isReplaceable, firstByte } = this.#job
    if (!isReplaceable || (this.#wasSilent && !firstByte)) return false
    this.#wasSilent = true
    return true
  }

  /** Ends the call unless the client has got something of it. */
  giveUpSilent(fault: Fault): void {
    if (!this.#hasBegun) this.giveUp(fault)
  }

  #begin(headers: IncomingHttpHeaders): void {
    this.#hasBegun = true
    this.#job.begin(headers['content-type'] ?? '', headers)
  }

  #finish(reported: Fault | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#unread)
    const fault = reported && withoutKey(reported, this.#job.call.mask)
    this.#job.keepAlive?.remove(this)
    if (fault && !this.#hasBegun) return this.#failed(fault)
    if (fault && !this.#job.client.isClosed) this.#write(this.#job.faultEvent(fault))
    this.#job.response.end()
    this.#done({ kind: 'stream', fault, ttftMs: this.#ttftMs })
  }

  #forward(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) return
    try {
      if (this.#flush()) return
      this.#pause(controller)
    } catch (error) {
      controller.abort(toFault(error))
    }
  }

  /** No timeout of the connection to the provider runs meanwhile, so the client has as long. */
  #pause(controller: Dispatcher.DispatchController): void {
    const { response } = this.#job
    controller.pause()
    // A piece may still come after the provider was paused.
    if (this.#unread) return
    this.#unread = setTimeout(() => response.destroy(), this.#timeoutMs)
    response.once('drain', () => {
      clearTimeout(this.#unread)
      this.#unread = undefined
      controller.resume()
    })
  }

  /** Reads and sends what has gathered; false when the client cannot keep up. */
  #flush(): boolean {
    const [first] = this.#gathered
    if (!first) return true
    const piece = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered)
    this.#gathered = []
    return this.#write(this.#job.reader.push(piece))
  }

  #write(read: string | Uint8Array): boolean {
    if (read.length === 0 || this.#job.client.isClosed) return true
    // Readers return whole events, so that a key is never cut between two pieces.
    if (!this.#hasBegun && this.#stream) this.#begin(this.#stream)
    const { mask } = this.#job.call
    const bytes = typeof read === 'string' ? mask.plainText(read) : mask.plainBytes(read)
    this.silence = 0
    this.#endsAtBoundary = bytes.at(-1) === (typeof bytes === 'string' ? '\n' : 10)
    return this.#job.response.write(bytes)
  }
}
