import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { Fault, faults } from '#kernel/errors'
import { BodyCollector } from '../../transport/body-collector.ts'
import type { ClientPresence } from '../../transport/client-presence.ts'
import type { StreamReader } from '../../providers/index.ts'
import { clientGone, toFault, type WholeAnswer } from '../../transport/receive.ts'
import type { Upstream, UpstreamCall } from '../../transport/upstream.ts'

export interface AnswerJob {
  call: UpstreamCall
  client: ClientPresence
  reader: StreamReader
  response: ServerResponse
  /** Called just before the first byte of a stream; gives the headers to send. */
  begin(contentType: string): Record<string, string | string[] | number | undefined>
}

/** The answer, whole, for the caller to send; or how a stream that has been sent already came to its end. */
export type Received =
  | { kind: 'whole'; answer: WholeAnswer }
  | { kind: 'stream'; fault: Fault | null; ttftMs: number | null }

/**
 * Makes a call whose answer may or may not be a stream: that is the provider's choice, told by the content type, for
 * some models ignore the wish to stream. Rejects when the client has been told nothing yet.
 */
export function receiveAnswer(upstream: Upstream, job: AnswerJob): Promise<Received> {
  return new Promise((resolve, reject) => {
    const relay = new AnswerRelay(job, resolve, reject)
    try {
      upstream.dispatch(job.call, relay)
    } catch (error) {
      reject(toFault(error))
    }
  })
}

class AnswerRelay implements Dispatcher.DispatchHandler {
  readonly #job: AnswerJob
  readonly #resolve: (received: Received) => void
  readonly #reject: (fault: Fault) => void
  readonly #body = new BodyCollector()
  readonly #startedAt = performance.now()
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #isStream = false
  #isOver = false
  #ttftMs: number | null = null

  constructor(job: AnswerJob, resolve: (received: Received) => void, reject: (fault: Fault) => void) {
    this.#job = job
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#job.client.onGone(() => controller.abort(clientGone()))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status
    this.#headers = headers
    const type = headers['content-type'] ?? ''
    if (status < 200 || status >= 300 || !type.toLowerCase().startsWith('text/event-stream')) return
    if (headers['content-encoding'])
      throw new Fault(faults.provider, 'The provider packed its stream, which was not asked for.')
    this.#job.response.writeHead(200, this.#job.begin(type))
    // The first word may be long in coming; that the request was accepted is worth knowing before.
    this.#job.response.flushHeaders()
    this.#isStream = true
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (!this.#isStream) return this.#body.add(piece, controller)
    this.#ttftMs ??= Math.round(performance.now() - this.#startedAt)
    const bytes = this.#job.reader.push(piece)
    if (bytes.length === 0 || this.#job.response.write(bytes)) return undefined
    controller.pause()
    this.#job.response.once('drain', () => controller.resume())
    return undefined
  }

  onResponseEnd(): void {
    try {
      if (this.#isStream) {
        this.#job.response.write(this.#job.reader.end())
        this.#finish(null)
      } else {
        const body = this.#body.finish(this.#headers)
        this.#resolve({ kind: 'whole', answer: { status: this.#status, headers: this.#headers, body } })
      }
    } catch (error) {
      this.#finish(toFault(error))
    }
  }

  /** Also called for whatever the methods above throw, and for what is found wrong with the form on its way. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(toFault(error))
  }

  #finish(fault: Fault | null): void {
    if (this.#isOver) return
    this.#isOver = true
    if (!this.#isStream) {
      if (fault) this.#reject(fault)
      return
    }
    const { client, response } = this.#job
    if (fault && !client.isGone) response.write(`data: ${JSON.stringify(fault.body())}\n\n`)
    response.end()
    this.#resolve({ kind: 'stream', fault, ttftMs: this.#ttftMs })
  }
}
