import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { addAbortSignal, PassThrough } from 'node:stream'
import type { Principal, Scope } from '#kernel/auth'
import { type Caller } from '#kernel/http'
import type { RequestSpan } from '#kernel/tracing'
import { newRequestId } from '#kernel/uuid'
import type { ClientResponse } from '../transport/receive.ts'

/** A request as the gateway reads it: one of Fastify's, or one that Signalbox makes itself. */
export interface Asking extends Caller {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** Where requests are traced. */
  readonly span?: RequestSpan | undefined
  readonly keyMs?: number
  readonly readyMs?: number
  isTimedApart?: boolean
}

/** Where the gateway puts the response: the reply of Fastify, or one within the process. */
export interface Answering {
  readonly raw: ClientResponse & { writeHead(status: number, headers: OutgoingHttpHeaders): unknown }
  code(status: number): this
  header(name: string, value: string): this
  removeHeader(name: string): this
  headers(values: object): this
  type(contentType: string): this
  send(body: string | Uint8Array): this
  hijack(): unknown
  getHeaders(): object
}

/** A request of this process: no connection, no parser, and a principal instead of a key. */
export function askFrom(principal: Principal, needs: Scope, sent: { headers: object; body: object }): Asking {
  return {
    id: newRequestId(),
    ...{ principal, needs, query: {}, routeOptions: { config: {} } },
    headers: { ...sent.headers },
    body: Buffer.from(JSON.stringify(sent.body)),
  }
}

/** Receives the response to a request of this process. An abort is a client that disconnects. */
export class OwnReply implements Answering {
  readonly raw = Object.assign(new PassThrough(), { writeHead: () => undefined })
  /** Of a response that is not streamed. */
  body: string | Uint8Array = ''

  constructor(signal: AbortSignal | undefined) {
    // The reader gets the reason; without a reader it must not end the process.
    this.raw.on('error', () => undefined)
    if (signal) addAbortSignal(signal, this.raw)
  }

  send(body: string | Uint8Array): this {
    this.body = body
    this.raw.end()
    return this
  }

  // Nobody reads status and headers.
  readonly code = (): this => this
  readonly header = (): this => this
  readonly removeHeader = (): this => this
  readonly headers = (): this => this
  readonly type = (): this => this
  readonly hijack = (): this => this
  readonly getHeaders = (): object => ({})
}
