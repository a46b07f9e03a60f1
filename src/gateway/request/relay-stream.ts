import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { Fault, faults } from '#kernel/errors'
import { BodyCollector } from '../transport/body-collector.ts'
import type { ClientPresence } from '../transport/client-presence.ts'
import type { KeepAlive, QuietStream } from '../transport/keep-alive.ts'
import type { Provider, StreamReader } from '../providers/index.ts'
import { clientGone, redirectFault, toFault } from '../transport/receive.ts'
import type { Upstream, UpstreamCall } from '../transport/upstream.ts'

export interface StreamDeps {
  upstream: Upstream
  keepAlive: KeepAlive
}

export interface StreamJob {
  call: UpstreamCall
  provider: Provider
  reader: StreamReader
  client: ClientPresence
  response: ServerResponse
  /** The last event of a stream that breaks off. */
  faultEvent(fault: Fault): string
  /** Called when the provider has accepted, just before the first byte; gives the headers to send. */
  begin(): Record<string, string | string[] | number | undefined>
}

export interface StreamEnd {
  fault: Fault | null
  /** The client has its status and headers; a fault was told inside the stream. */
  hasBegun: boolean
  ttftMs: number | null
}

/**
 * Forwards a stream as it comes. A slow client pauses the provider, so nothing piles up in memory; a client that
 * leaves cancels the call. Resolves when it is over, whatever its end.
 */
export function relayStream(deps: StreamDeps, job: StreamJob): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const relay = new Relay(deps, job, resolve)
    try {
      deps.upstream.dispatch(job.call, relay)
    } catch (error) {
      relay.finish(toFault(error))
    }
  })
}

const nothing = new Uint8Array()

class Relay implements Dispatcher.DispatchHandler, QuietStream {
  silence = 0
  readonly #deps: StreamDeps
  readonly #job: StreamJob
  readonly #done: (end: StreamEnd) => void
  readonly #startedAt = performance.now()
  #ttftMs: number | null = null
  #hasBegun = false
  #isOver = false
  #endsAtBoundary = true
  #gathered: Buffer[] = []
  #refusal: { status: number; headers: IncomingHttpHeaders; body: BodyCollector } | undefined

  constructor(deps: StreamDeps, job: StreamJob, done: (end: StreamEnd) => void) {
    this.#deps = deps
    this.#job = job
    this.#done = done
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#job.client.onGone(() => controller.abort(clientGone()))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200 || status >= 300) {
      this.#refusal = { status, headers, body: new BodyCollector() }
      return
    }
    if (headers['content-encoding'])
      throw new Fault(faults.provider, 'The provider packed its stream, which was not asked for.')
    this.#job.response.writeHead(200, this.#job.begin())
    this.#hasBegun = true
    this.#deps.keepAlive.add(this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#refusal) return this.#refusal.body.add(chunk, controller)
    this.#ttftMs ??= Math.round(performance.now() - this.#startedAt)
    // Many pieces can come out of one read from the network. They go on together when it is done, without waiting:
    // Node would hold their bytes back that long anyway, and one write costs far less than many.
    if (this.#gathered.push(chunk) === 1) process.nextTick(() => this.#forward(controller))
    return undefined
  }

  onResponseEnd(): void {
    try {
      if (this.#refusal) throw this.#readRefusal(this.#refusal)
      this.#flush()
      this.#write(this.#job.reader.end())
      this.finish(null)
    } catch (error) {
      this.finish(toFault(error))
    }
  }

  /** Also called for whatever the methods above throw: the connection is then closed. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    try {
      this.#flush()
      // What the provider itself had said was wrong is worth more than that the connection broke.
      if (this.#hasBegun) this.#job.reader.push(nothing)
      this.finish(toFault(error))
    } catch (earlier) {
      this.finish(toFault(earlier))
    }
  }

  finish(fault: Fault | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#deps.keepAlive.remove(this)
    if (this.#hasBegun) {
      if (fault && !this.#job.client.isGone) this.#write(this.#job.faultEvent(fault))
      this.#job.response.end()
    }
    this.#done({ fault, hasBegun: this.#hasBegun, ttftMs: this.#ttftMs })
  }

  ping(): void {
    // Same-wire pieces may end inside a line, where a comment would break it.
    if (this.#endsAtBoundary && !this.#job.response.writableNeedDrain)
      this.#job.response.write(': keep-alive\n\n')
  }

  #forward(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) return
    try {
      if (this.#flush()) return
      controller.pause()
      this.#job.response.once('drain', () => controller.resume())
    } catch (error) {
      controller.abort(toFault(error))
    }
  }

  /** Reads and sends what has gathered; false when the client cannot keep up. */
  #flush(): boolean {
    const [first] = this.#gathered
    if (!first) return true
    const piece = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered)
    this.#gathered = []
    return this.#write(this.#job.reader.push(piece))
  }

  #write(bytes: string | Uint8Array): boolean {
    if (bytes.length === 0 || this.#job.client.isGone) return true
    this.silence = 0
    this.#endsAtBoundary = bytes.at(-1) === (typeof bytes === 'string' ? '\n' : 10)
    return this.#job.response.write(bytes)
  }

  #readRefusal({
    status,
    headers,
    body,
  }: {
    status: number
    headers: IncomingHttpHeaders
    body: BodyCollector
  }): Fault {
    return (
      redirectFault(status) ??
      this.#job.provider.fault({ status, headers, body: body.finish(headers).toString() })
    )
  }
}
