import { isUtf8 } from 'node:buffer'
import type { Assistant } from '../../assistants/index.ts'
import type { Blob, SkippedBytes } from '../../segment.ts'
import { cleanLine } from './clean.ts'
import { limits, type ReadRequest } from './request.ts'

/** What a stretch of a file holds; `to` is behind the last complete line that was taken. */
export interface TakenLines {
  lines: string[]
  blobs: Blob[]
  skipped: SkippedBytes[]
  to: number
  /** The limits ended the stretch: there are further lines. */
  hasMore: boolean
}

export interface ByteSource {
  /** Fewer bytes than asked for may come; none at the end. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
}

/** Takes complete lines from the offset on, until the limits or the end of the file. */
export async function takeLines(
  handle: ByteSource,
  from: number,
  assistant: Assistant,
  request: ReadRequest,
): Promise<TakenLines> {
  const taken = new Taken(from, assistant, request)
  const chunk = spareChunk ?? Buffer.allocUnsafe(limits.chunkBytes)
  spareChunk = undefined
  for (let at = from; !taken.hasMore;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) break
    taken.add(chunk.subarray(0, bytesRead))
    at += bytesRead
  }
  spareChunk = chunk
  return taken
}

/** The memory of the last read, for the next one: it would otherwise pile up until the garbage is collected. */
let spareChunk: Buffer | undefined

class Taken implements TakenLines {
  readonly lines: string[] = []
  readonly blobs: Blob[] = []
  readonly skipped: SkippedBytes[] = []
  hasMore = false
  to: number
  readonly #from: number
  readonly #assistant: Assistant
  readonly #maxLines: number
  readonly #isRedacted: boolean
  /** The beginning of a line that continues in the next chunk; empty when the line is too long. */
  #pending: Buffer[] = []
  #pendingBytes = 0
  #textBytes = 0
  #blobBytes = 0

  constructor(from: number, assistant: Assistant, { maxLines, isRedacted }: ReadRequest) {
    this.to = from
    this.#from = from
    this.#assistant = assistant
    this.#maxLines = maxLines ?? limits.segmentLines
    this.#isRedacted = isRedacted
  }

  add(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#endLine(chunk.subarray(start, end))
      if (this.hasMore) return
      start = end + 1
    }
    // A copy: the chunk is filled again.
    if (start < chunk.length) this.#hold(Buffer.from(chunk.subarray(start)))
  }

  #hold(part: Buffer): void {
    this.#pendingBytes += part.length
    if (this.#pendingBytes > limits.rawLineBytes) this.#pending = []
    else this.#pending.push(part)
  }

  #endLine(rest: Buffer): void {
    const bytes = this.#pendingBytes + rest.length
    const isTooLong = bytes > limits.rawLineBytes
    const line = this.#pending.length === 0 ? rest : Buffer.concat([...this.#pending, rest])
    if (isTooLong) this.#skip('too_long', bytes)
    else if (!this.#take(line)) {
      this.hasMore = true
      return
    }
    this.#pending = []
    this.#pendingBytes = 0
    this.to += bytes + 1
    if (this.to - this.#from >= limits.rawBytes || this.lines.length >= this.#maxLines) this.hasMore = true
  }

  /** False when the line must wait for the next segment. */
  #take(raw: Buffer): boolean {
    const bytes = raw.at(-1) === 13 ? raw.subarray(0, -1) : raw
    if (bytes.length === 0 || this.#assistant.isBulk?.(bytes.toString('latin1', 0, 400)) === true) return true
    const { line, blobs } = cleanLine(bytes.toString(), this.#isRedacted)
    if (Buffer.byteLength(line) > limits.lineBytes) {
      this.#skip('too_long', raw.length)
      return true
    }
    const blobBytes = blobs.reduce((sum, { data }) => sum + data.length, 0)
    if (this.lines.length > 0 && !this.#hasRoomFor(line.length, blobBytes)) return false
    // The line is kept: only the broken characters are replaced.
    if (!isUtf8(bytes)) this.#skip('not_utf8', raw.length)
    this.lines.push(line)
    this.blobs.push(...blobs)
    this.#textBytes += line.length
    this.#blobBytes += blobBytes
    return true
  }

  #hasRoomFor(textBytes: number, blobBytes: number): boolean {
    const isTextFull = this.#textBytes + textBytes > limits.segmentBytes
    return !isTextFull && this.#blobBytes + blobBytes <= limits.blobBytes
  }

  #skip(reason: SkippedBytes['reason'], bytes: number): void {
    if (this.skipped.length < 100) this.skipped.push({ reason, bytes, position: this.to })
  }
}
