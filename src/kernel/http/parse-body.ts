import { parse } from 'node:querystring'
import type { Readable } from 'node:stream'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkText, largeBody, readJson } from './body/read-json.ts'
import { parseInTurn, scanInSteps, disconnected } from './body/turns.ts'
import { Fault } from '#kernel/errors'
import { scanJson, startScan, type JsonScan } from './body/json-scan.ts'
import { allocate } from './body/allocate.ts'

type Done = (error: Error | null, body?: unknown) => void

/** A form of the dashboard holds a few short fields. */
const maxFormBytes = 256 * 1024

/** Bodies are JSON or forms; a part that takes anything else adds its own parser. */
export async function parseBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', parseJson)
  await app.register(formbody, { bodyLimit: maxFormBytes, parser: parseForm })
}

/**
 * For routes that send the bytes on: they get them as they came, and read them with `readJson`. Large JSON was parsed
 * before, when it had its turn.
 */
export function keepJson(request: FastifyRequest, payload: Readable, done: Done): void {
  receiveJson(request, payload, done, (bytes) => bytes)
}

/** For routes that take several formats: they call `prepareJson` before they read JSON. */
export function keepBytes({ raw }: FastifyRequest, payload: Readable, done: Done): void {
  collectBody(payload, Number(raw.headers['content-length'] ?? 0), false, (error, collected) =>
    done(error, collected?.bytes),
  )
}

/** Has its turn, so that `readJson` does not hold the event loop where the body is large. */
export async function prepareJson(bytes: Buffer, { raw }: FastifyRequest): Promise<void> {
  if (bytes.length > largeBody) await parseInTurn(bytes, await scanInSteps(bytes), raw.socket)
}

/** JSON whose texts can all be stored. */
function parseJson(request: FastifyRequest, payload: Readable, done: Done): void {
  const { method, routeOptions } = request
  // Clients name a content type also where they send nothing.
  const mayBeEmpty = method === 'DELETE' || routeOptions.config.docs?.noBody === true
  receiveJson(request, payload, done, (bytes) => {
    if (bytes.length === 0 && mayBeEmpty) return undefined
    const value = readJson(bytes)
    checkText(value)
    return value
  })
}

function receiveJson(
  { raw: { headers, socket } }: FastifyRequest,
  payload: Readable,
  done: Done,
  read: (bytes: Buffer) => unknown,
): void {
  const finish = (bytes: Buffer): void => {
    let body: unknown
    try {
      body = read(bytes)
    } catch (error) {
      return done(error as Error)
    }
    done(null, body)
  }
  collectBody(payload, Number(headers['content-length'] ?? 0), true, (error, collected) => {
    if (!collected) return done(error)
    const { bytes, scan } = collected
    if (scan) void finishLater(parseInTurn(bytes, scan, socket), () => finish(bytes), done)
    else finish(bytes)
  })
}

async function finishLater(turn: Promise<void>, finish: () => void, done: Done): Promise<void> {
  try {
    await turn
  } catch (error) {
    return done(error as Error)
  }
  finish()
}

function parseForm(text: string): Record<string, unknown> {
  const fields = parse(text)
  checkText(fields)
  return fields
}

/** A body that has arrived, and what a scan of it found where it is large JSON. */
interface Collected {
  bytes: Buffer
  scan: JsonScan | undefined
}

/**
 * Collects a body that is not larger than its route permits. A large one is copied to its place and scanned piece by
 * piece as it arrives: what has to be refused is refused at once, and at the end there is little left to do.
 */
function collectBody(
  payload: Readable,
  announced: number,
  isJson: boolean,
  done: (error: Error | null, collected?: Collected) => void,
): void {
  let body: SmallBody | LargeBody =
    announced > largeBody ? new LargeBody(announced, isJson) : new SmallBody(isJson)
  const stop = (): void => {
    // What happens to the rest of a body that was refused is of no interest, but must not go unheard.
    payload.off('data', onData).off('end', onEnd).off('error', onError).on('error', ignore)
  }
  const onData = (chunk: Buffer): void => {
    try {
      body = body.add(chunk)
    } catch (error) {
      stop()
      done(error as Error)
    }
  }
  const onEnd = (): void => {
    stop()
    done(null, body.end())
  }
  const onError = (error: Error): void => {
    stop()
    done(error instanceof Fault ? error : disconnected())
  }
  payload.on('data', onData).on('end', onEnd).on('error', onError)
}

const ignore = (): void => undefined

class SmallBody {
  readonly #isJson: boolean
  readonly #chunks: Buffer[] = []
  #length = 0

  constructor(isJson: boolean) {
    this.#isJson = isJson
  }

  add(chunk: Buffer): SmallBody | LargeBody {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length <= largeBody) return this
    const large = new LargeBody(2 * this.#length, this.#isJson)
    for (const each of this.#chunks) large.add(each)
    return large
  }

  end(): Collected {
    // Always a copy: the chunks are views of what the socket has read.
    return { bytes: Buffer.concat(this.#chunks, this.#length), scan: undefined }
  }
}

class LargeBody {
  readonly #scan: JsonScan | undefined
  #bytes: Buffer
  #length = 0

  constructor(capacity: number, isJson: boolean) {
    this.#bytes = allocate(capacity)
    this.#scan = isJson ? startScan() : undefined
  }

  add(chunk: Buffer): this {
    const length = this.#length + chunk.length
    if (length > this.#bytes.length) {
      const grown = allocate(Math.ceil(1.5 * length))
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    chunk.copy(this.#bytes, this.#length)
    this.#length = length
    if (this.#scan) scanJson(this.#bytes, this.#scan, length)
    return this
  }

  end(): Collected {
    return { bytes: this.#bytes.subarray(0, this.#length), scan: this.#scan }
  }
}
