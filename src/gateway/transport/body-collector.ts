import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { Fault, faults } from '#kernel/errors'

const largest = 64 * 1024 * 1024

/** Gathers a body up to a ceiling, and unpacks it when the provider packed it unasked. */
export class BodyCollector {
  readonly #pieces: Buffer[] = []
  #bytes = 0

  add(piece: Buffer, controller: Dispatcher.DispatchController): void {
    this.#bytes += piece.length
    this.#pieces.push(piece)
    if (this.#bytes > largest)
      controller.abort(new Fault(faults.provider, "The provider's answer is larger than 64 MiB."))
  }

  finish(headers: IncomingHttpHeaders): Buffer {
    const [only] = this.#pieces
    const body = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces)
    try {
      return unpack(body, headers['content-encoding'])
    } catch (error) {
      throw new Fault(faults.provider, "The provider's answer is damaged.", { cause: error })
    }
  }
}

function unpack(body: Buffer, encoding: string | undefined): Buffer {
  const limit = { maxOutputLength: largest }
  if (encoding === 'gzip') return gunzipSync(body, limit)
  if (encoding === 'br') return brotliDecompressSync(body, limit)
  if (encoding === 'deflate') return inflateSync(body, limit)
  return body
}
