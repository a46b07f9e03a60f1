import { statfs } from 'node:fs/promises'
import { Fault, faults, tooMany } from '#kernel/errors'

export interface SpoolQuotaOptions {
  folder: string
  /** For all uploads together; one group gets half of it. */
  maxBytes: number
  /** Replaceable, so that a test can simulate a full disk. */
  statfs?: (path: string) => Promise<{ bavail: number; bsize: number }>
}

/** Left to the usage journal and the database, which must keep working when uploads have filled the disk. */
const reserveBytes = 512 * 1024 * 1024
/** The disk is measured again after this many bytes. */
const measureEveryBytes = 16 * 1024 * 1024

/** How much of the disk uploads may use while they wait for the rest of their form. */
export class SpoolQuota {
  readonly #options: SpoolQuotaOptions
  readonly #groups = new Map<string, number>()
  #total = 0
  #unmeasured = Infinity

  constructor(options: SpoolQuotaOptions) {
    this.#options = options
  }

  /** Counts the bytes before they are written; throws when there is no room for them. */
  async take(groupId: string, bytes: number): Promise<void> {
    const used = this.#groups.get(groupId) ?? 0
    if (used + bytes > this.#options.maxBytes / 2) throw tooMany('uploads', retryAfterSeconds)
    if (this.#total + bytes > this.#options.maxBytes)
      throw full('all uploads together reached SPOOL_MAX_BYTES')
    this.#groups.set(groupId, used + bytes)
    this.#total += bytes
    this.#unmeasured += bytes
    if (this.#unmeasured < measureEveryBytes) return
    this.#unmeasured = 0
    if ((await this.#freeBytes()) >= reserveBytes) return
    this.#unmeasured = Infinity
    this.release(groupId, bytes)
    throw full('the disk under DATA_DIR is almost full')
  }

  release(groupId: string, bytes: number): void {
    const left = (this.#groups.get(groupId) ?? 0) - bytes
    if (left > 0) this.#groups.set(groupId, left)
    else this.#groups.delete(groupId)
    this.#total -= bytes
  }

  async #freeBytes(): Promise<number> {
    try {
      const { bavail, bsize } = await (this.#options.statfs ?? statfs)(this.#options.folder)
      return bavail * bsize
    } catch {
      // Where the disk cannot be measured, a full disk makes the write itself fail.
      return Infinity
    }
  }
}

const retryAfterSeconds = 5

const full = (internal: string): Fault =>
  new Fault(
    faults.unavailable,
    'There is no space for uploads that wait for their model. Send "model" before "file", which needs no space here, or try again later.',
    { headers: { 'retry-after': String(retryAfterSeconds) }, internal },
  )
