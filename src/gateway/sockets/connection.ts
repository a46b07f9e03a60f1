import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Config } from '#kernel/config'
import { Fault, faults } from '#kernel/errors'
import {
  faultOf,
  groupOf,
  isStillAllowed,
  principalOf,
  readOwnJson,
  readOwnRoute,
  type Http,
} from '#kernel/http'
import { newRequestId } from '#kernel/uuid'
import { responses } from '../apis/responses/index.ts'
import type { Registry } from '../catalog/registry.ts'
import { checkModelsAllowed } from '../request/allowed-models.ts'
import { logRefusal } from '../request/log-request.ts'
import type { Meter } from '../request/meter.ts'
import type { Names } from '../routing/names/index.ts'
import { arrayOf, objectOf, parseJson, stringOf, type JsonObject } from '../wire/json.ts'
import { SseParser, type SseEvent } from '../wire/sse.ts'
import { errorOfFault, errorOfResponse, errorOfStream, eventsWithoutModel, shownHeaders } from './events.ts'
import { ArrivingBytes } from './arriving-bytes.ts'
import { clientHeaders } from './client-headers.ts'
import { closing, type Ending } from './endings.ts'
import type { SocketLimits } from './limits.ts'
import { ResponseMemory } from './memory.ts'
import { checkResults, readTurn, type Turn } from './turn.ts'

export interface ConnectionDeps {
  app: Http
  config: Config
  registry: Registry
  names: Names
  meter: Meter
  limits: SocketLimits
}

/** A turn whose response has begun. */
interface Served {
  turn: Turn
  /** All that the model was sent; undefined where the provider continues a response that it stored. */
  input: readonly unknown[] | undefined
  headers: JsonObject
}

/** Clients wait for a response before they ask for the next one; a few may be ahead of it. */
const maxWaiting = 8
/** A client that reads slowly gets a ping late. */
const maxMissedPings = 2
/** Above this a client that reads slowly is waited for, and so is the provider. */
const maxUnsentBytes = 512 * 1024

/**
 * One client on a WebSocket. Each of its messages is a request of the Responses API to this process, from the guard to
 * the log, and its events become messages. One runs at a time.
 */
export class ResponsesConnection {
  readonly #deps: ConnectionDeps
  readonly #socket: WebSocket
  readonly #request: FastifyRequest
  readonly #groupId: string
  readonly #headers: Record<string, string>
  readonly #memory: ResponseMemory
  readonly #arriving: ArrivingBytes
  readonly #gone = new AbortController()
  readonly #waiting: Buffer[] = []
  readonly #openedAt = Date.now()
  #lastUsedAt = Date.now()
  #isServing = false
  #missedPings = 0
  #ending: Ending | undefined

  constructor(deps: ConnectionDeps, socket: WebSocket, request: FastifyRequest) {
    this.#deps = deps
    this.#socket = socket
    this.#request = request
    this.#groupId = groupOf(request).id
    this.#headers = clientHeaders(request.headers)
    this.#memory = new ResponseMemory(deps.limits.memory)
    this.#arriving = new ArrivingBytes(deps.limits.messages, request.raw.socket, () =>
      this.end(closing.overloaded()),
    )
    // Messages are buffers unless the library is configured otherwise.
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary))
    socket.on('pong', () => (this.#missedPings = 0))
    socket.on('error', (error) => this.#refuseFrame(error))
    socket.once('close', () => this.#close())
  }

  /** To be called every half minute: finds clients that are gone, idle, too old, or lost their rights. */
  beat(now = Date.now()): void {
    if (this.#missedPings++ >= maxMissedPings) return this.#socket.terminate()
    this.#socket.ping()
    const { WEBSOCKET_IDLE_MS, WEBSOCKET_MAX_AGE_MS } = this.#deps.config
    if (now - this.#openedAt >= WEBSOCKET_MAX_AGE_MS) return this.end(closing.tooOld(WEBSOCKET_MAX_AGE_MS))
    if (!this.#isServing && now - this.#lastUsedAt >= WEBSOCKET_IDLE_MS)
      return this.end(closing.idle(WEBSOCKET_IDLE_MS))
    void this.#recheck()
  }

  /** The last event is an error that says why. A response that is under way ends first, unless there is no time. */
  end(ending: Ending): void {
    this.#ending ??= ending
    this.#waiting.length = 0
    if (ending.isAtOnce) this.#gone.abort()
    if (ending.isAtOnce || !this.#isServing) this.#sayGoodbye()
  }

  async #recheck(): Promise<void> {
    const { reads } = this.#request.server.openStreams
    if (!(await reads.run(() => isStillAllowed(this.#request, this.#groupId)))) this.end(closing.refused())
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#ending) return
    if (isBinary) return this.end(closing.binary())
    if (this.#waiting.length > maxWaiting) return this.end(closing.tooManyWaiting(maxWaiting))
    this.#waiting.push(data)
    this.#arriving.received(this.#waitingBytes())
    if (!this.#isServing) void this.#serve()
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    for (let next = this.#waiting[0]; next && !this.#ending; next = this.#waiting[0]) {
      await this.#respond(next)
      this.#waiting.shift()
      this.#arriving.waits(this.#waitingBytes())
    }
    this.#isServing = false
    this.#lastUsedAt = Date.now()
    if (this.#ending) this.#sayGoodbye()
  }

  async #respond(bytes: Buffer): Promise<void> {
    let turn: Turn | undefined
    try {
      turn = await readTurn(bytes, this.#request)
      const known = this.#history(turn)
      if (known && turn.previousId !== null) checkResults(known, turn)
      if (turn.generates) await this.#create(turn, known)
      else await this.#warmUp(turn, known ?? [])
    } catch (error) {
      if (this.#gone.signal.aborted) return
      await this.#refuse(faultOf(error as Error, this.#request), turn)
    }
  }

  /** What came before; undefined where the provider itself continues from a response that it stored. */
  #history({ model, body, previousId }: Turn): readonly unknown[] | undefined {
    if (previousId === null) return []
    const items = this.#memory.itemsOf(previousId)
    if (items) return items
    if (body['store'] !== false && this.#isStoredByProvider(model)) return undefined
    throw new Fault(
      faults.previousResponseNotFound,
      'The previous response is not known on this connection: send the whole conversation as input.',
      { param: 'previous_response_id' },
    )
  }

  #isStoredByProvider(model: string): boolean {
    const found = this.#deps.registry.resolve(this.#groupId, model)
    return found?.route.provider.passthrough?.responses !== undefined
  }

  async #create(turn: Turn, known: readonly unknown[] | undefined): Promise<void> {
    const input = [...(known ?? []), ...turn.input]
    const previous = known ? {} : { previous_response_id: turn.previousId }
    const body = { ...turn.body, ...previous, input, stream: true }
    const { signal } = this.#gone
    const call = { path: responses.path, headers: this.#headers, body, signal, address: this.#request.ip }
    await readOwnRoute(this.#deps.app, call, (response) => this.#forward(response, turn, known && input))
  }

  async #forward(
    response: IncomingMessage,
    turn: Turn,
    input: readonly unknown[] | undefined,
  ): Promise<void> {
    if (response.statusCode !== 200) return this.#fail(turn, errorOfResponse(await readOwnJson(response)))
    const served: Served = { turn, input, headers: shownHeaders(response.headers) }
    const parser = new SseParser()
    for await (const piece of response)
      for (const event of parser.push(piece as Uint8Array)) await this.#forwardEvent(event, served)
    for (const event of parser.end()) await this.#forwardEvent(event, served)
  }

  async #forwardEvent({ event, data }: SseEvent, { turn, input, headers }: Served): Promise<void> {
    if (event === 'error') return this.#fail(turn, errorOfStream(objectOf(parseJson(data))))
    if (!/^response\.(created|in_progress|queued|completed|incomplete)$/.test(event)) return this.#send(data)
    const parsed = objectOf(parseJson(data))
    const response = { ...objectOf(parsed['response']), previous_response_id: turn.previousId }
    const shown = event === 'response.created' && { headers }
    await this.#send(JSON.stringify({ ...parsed, response, ...shown }))
    if (input && (event === 'response.completed' || event === 'response.incomplete'))
      this.#remember(response, turn, input)
  }

  /** What the provider stored need not be kept here too. */
  #remember(response: JsonObject, { model, body }: Turn, input: readonly unknown[]): void {
    if (body['store'] !== false && this.#isStoredByProvider(model)) return
    this.#memory.keep(stringOf(response['id']), input, arrayOf(response['output']))
  }

  async #warmUp(turn: Turn, known: readonly unknown[]): Promise<void> {
    checkModelsAllowed(principalOf(this.#request), turn)
    await this.#deps.names.check(this.#groupId, turn.model)
    const events = eventsWithoutModel(turn.body, turn.previousId)
    this.#memory.keep(stringOf(objectOf(events[0]?.['response'])['id']), [...known, ...turn.input], [])
    for (const event of events) await this.#send(JSON.stringify(event))
  }

  /** A response that could not be continued is forgotten: the next try begins with the whole conversation. */
  async #fail({ previousId }: Pick<Turn, 'previousId'>, error: JsonObject): Promise<void> {
    if (previousId !== null) this.#memory.forget(previousId)
    await this.#send(JSON.stringify(error))
    const { code } = objectOf(error['error'])
    if (code === faults.invalidApiKey.code || code === faults.forbidden.code)
      this.#ending ??= closing.refused()
  }

  async #refuse(fault: Fault, turn: Turn | undefined): Promise<void> {
    const requestId = newRequestId()
    await this.#fail(turn ?? { previousId: null }, errorOfFault(fault, requestId))
    const refused = { requestId, model: turn?.model ?? '', fault }
    // The client has the refusal, whatever keeps it out of the log.
    await logRefusal(this.#deps.meter, this.#request, responses.path, refused).catch(() => undefined)
  }

  /** The library has closed the connection already: the frame is larger than allowed, or breaks the protocol. */
  #refuseFrame(error: Error & { code?: string }): void {
    if (error.code !== 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return
    void this.#refuse(closing.tooLarge(this.#deps.config.MAX_BODY_BYTES).fault, undefined)
  }

  /** Resolves at once, or when a client that reads slowly has caught up. */
  async #send(text: string): Promise<void> {
    if (this.#socket.readyState !== 1) return
    await new Promise<void>((resolve) => {
      const isFar = this.#socket.bufferedAmount > maxUnsentBytes
      this.#socket.send(text, () => isFar && resolve())
      if (!isFar) resolve()
    })
  }

  #sayGoodbye(): void {
    if (!this.#ending || this.#socket.readyState !== 1) return
    const { fault, code } = this.#ending
    void this.#send(JSON.stringify(errorOfFault(fault, this.#request.id)))
    this.#socket.close(code)
    // A client that does not answer is not waited for.
    setTimeout(() => this.#socket.terminate(), 1_000).unref()
  }

  #waitingBytes(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0)
  }

  #close(): void {
    this.#gone.abort()
    this.#waiting.length = 0
    this.#memory.clear()
    this.#arriving.clear()
  }
}
