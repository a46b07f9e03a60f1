import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

export interface DiskQuotaOptions {
  root: string
  /** Not measured here: its process knows its size exactly. */
  ownFolder: string
  maxBytes: number
  /** Replaceable, so that a test can simulate a full disk. */
  statfs?: (path: string) => Promise<{ bavail: number; bsize: number }>
}

/** Kept free on the disk: running requests must still be settled, and other programs need the disk too. */
const reserveBytes = 64 * 1024 * 1024
const measureEveryMs = 1_000

/** Knows whether the journal may grow. The disk is measured once a second, so a check costs no system call. */
export class DiskQuota {
  #options: DiskQuotaOptions
  #othersBytes = 0
  #freeBytes = Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(options: DiskQuotaOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    await this.measure()
    this.#timer = setInterval(() => void this.measure(), measureEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Why the journal must not grow; undefined when it may. */
  violation(ownBytes: number): string | undefined {
    if (this.#freeBytes < reserveBytes) return 'the disk under DATA_DIR is full'
    if (ownBytes + this.#othersBytes > this.#options.maxBytes)
      return 'the journal has reached JOURNAL_MAX_BYTES'
    return undefined
  }

  async measure(): Promise<void> {
    try {
      const { bavail, bsize } = await (this.#options.statfs ?? statfs)(this.#options.root)
      this.#freeBytes = bavail * bsize
      this.#othersBytes = await this.#measureOthers()
    } catch {
      // Where the disk cannot be measured, a full disk makes the write itself fail.
    }
  }

  async #measureOthers(): Promise<number> {
    const { root, ownFolder } = this.#options
    let sum = 0
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath === ownFolder) continue
      const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
      sum += found?.size ?? 0
    }
    return sum
  }
}
