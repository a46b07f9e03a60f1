import type { Readable } from 'node:stream'
import { Fault } from '#kernel/errors'
import { scanJson, startScan, type JsonScan } from './json-scan.ts'
import { largeBody } from './read-json.ts'
import { allocate } from './allocate.ts'
import { disconnected } from './turns.ts'

/** A body that has arrived, and what a scan of it found where it is large JSON. */
export interface Collected {
  bytes: Buffer
  scan: JsonScan | undefined
}

type Done = (error: Error | null, collected?: Collected) => void

/**
 * Collects a body that is not larger than its route permits. A large one is copied to its place and scanned piece by
 * piece as it arrives: what has to be refused is refused at once, and at the end there is little left to do.
 */
export function collectBody(payload: Readable, announced: number, isJson: boolean, done: Done): void {
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
