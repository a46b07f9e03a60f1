import { createZstdDecompress } from 'node:zlib'
import type { Assistant } from '../../assistants/index.ts'
import { bornAt, identify, isSamePrefix, type OpenFile } from './file.ts'
import { takeLines, type ByteSource } from './lines.ts'
import { limits, type ReadRequest, type ReadResult } from './request.ts'

/**
 * The next lines of a file that an assistant has compressed, and that does not grow any more. Offsets are those of the
 * lines, so each segment unpacks the file again up to its place.
 */
export async function readCompressed(
  file: OpenFile,
  assistant: Assistant,
  request: ReadRequest,
): Promise<ReadResult> {
  const { handle, stat, stamp } = file
  const { position, source } = request
  const isContinued = await isSameFile(file, request)
  if (isContinued && position?.cursor !== null) return { kind: 'unchanged', stamp }
  const from = isContinued ? (position?.offset ?? 0) : 0
  const generation = position === null ? 0 : position.generation + (isContinued ? 0 : 1)
  if (from > limits.unpackedBytes) return { kind: 'skipped', reason: 'too_large', bytes: stamp.size, stamp }
  const unpacked = new Unpacked(file)
  try {
    const { to, lines, skipped, blobs, hasMore } = await takeLines(unpacked, from, assistant, request)
    if ((await handle.stat({ bigint: true })).mtimeNs !== stat.mtimeNs) return { kind: 'unsettled' }
    const cursor = hasMore ? null : { isWhole: true }
    const place = { source, generation, from, to, identity: await identify(file), cursor, ...bornAt(stat) }
    return { kind: 'segment', segment: { ...place, lines, skipped, blobs }, stamp, hasMore }
  } catch {
    return { kind: 'skipped', reason: 'unreadable', bytes: stamp.size, stamp }
  } finally {
    unpacked.close()
  }
}

async function isSameFile({ handle, stat }: OpenFile, request: ReadRequest): Promise<boolean> {
  const identity = request.position?.identity
  if (!identity || request.isSuspect || identity.inode !== String(stat.ino)) return false
  return isSamePrefix(handle, identity, 0, undefined)
}

/** Unpacks while it is read, forwards only. */
class Unpacked implements ByteSource {
  readonly #stream
  readonly #chunks: AsyncIterator<Buffer>
  #chunk: Buffer = Buffer.alloc(0)
  /** Where the chunk begins. */
  #place = 0

  constructor({ handle }: Pick<OpenFile, 'handle'>) {
    const packed = handle.createReadStream({ start: 0, autoClose: false })
    this.#stream = createZstdDecompress()
    packed.on('error', (error) => this.#stream.destroy(error))
    packed.pipe(this.#stream)
    this.#chunks = this.#stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    while (this.#place + this.#chunk.length <= position) {
      const next = await this.#chunks.next()
      if (next.done === true) return { bytesRead: 0 }
      this.#place += this.#chunk.length
      this.#chunk = next.value
    }
    const from = position - this.#place
    return { bytesRead: this.#chunk.copy(buffer, offset, from, from + length) }
  }

  close(): void {
    this.#stream.destroy()
  }
}
