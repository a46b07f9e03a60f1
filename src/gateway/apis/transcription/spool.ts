import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, faults, messageOf } from '#kernel/errors'
import type { SpoolQuota } from './spool-quota.ts'

const maxMemoryBytes = 256 * 1024
const readBytes = 64 * 1024

/**
 * Keeps bytes until the provider is known. A few stay in memory; more go to a file that is unlinked as soon as it is
 * open, so that it cannot outlive the process.
 */
export class Spool {
  readonly #folder: string
  readonly #quota: SpoolQuota
  readonly #groupId: string
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #file: FileHandle | undefined
  #path = ''
  #fileBytes = 0
  #takenBytes = 0

  constructor(folder: string, quota: SpoolQuota, groupId: string) {
    this.#folder = folder
    this.#quota = quota
    this.#groupId = groupId
  }

  async add(bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes > maxMemoryBytes) await guarded(() => this.#spill())
  }

  /** Everything that was added, in order. */
  async *read(): AsyncGenerator<Buffer, void, undefined> {
    const file = this.#file
    for (let at = 0; file && at < this.#fileBytes;) {
      const position = at
      const piece = Buffer.allocUnsafe(Math.min(readBytes, this.#fileBytes - at))
      const { bytesRead } = await guarded(() => file.read(piece, 0, piece.length, position))
      if (bytesRead === 0) throw broken('the temporary file is shorter than it was')
      at += bytesRead
      yield piece.subarray(0, bytesRead)
    }
    yield* this.#waiting
    this.#waiting = []
  }

  async remove(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    this.#waiting = []
    await file?.close()
    this.#quota.release(this.#groupId, this.#takenBytes)
    this.#takenBytes = 0
    // Only on systems where an open file cannot be unlinked.
    if (this.#path !== '') await unlink(this.#path)
  }

  async #spill(): Promise<void> {
    this.#file ??= await this.#create()
    const pieces = this.#waiting
    const wanted = this.#waitingBytes
    await this.#quota.take(this.#groupId, wanted)
    this.#takenBytes += wanted
    this.#waiting = []
    this.#waitingBytes = 0
    const { bytesWritten } = await this.#file.writev(pieces, this.#fileBytes)
    if (bytesWritten < wanted) throw broken('the temporary file took only a part of what was written')
    this.#fileBytes += bytesWritten
  }

  async #create(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    this.#path = join(this.#folder, `upload-${randomUUID()}`)
    const file = await open(this.#path, 'wx+', 0o600)
    await unlink(this.#path).then(
      () => (this.#path = ''),
      () => undefined,
    )
    return file
  }
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Fault ? error : broken(messageOf(error), error)
  }
}

const broken = (internal: string, cause?: unknown): Fault =>
  new Fault(faults.unavailable, 'The upload could not be kept until its end. Send "model" before "file".', {
    internal,
    cause,
  })
