import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

export interface SpaceOptions {
  root: string
  /** The folder whose size its own process knows better. */
  ownFolder: string
  maxBytes: number
  /** Replaceable, so that a test can have a full disk. */
  statfs?: (path: string) => Promise<{ bavail: number; bsize: number }>
}

/** Left free on the disk: what is open must still be settled, and others need the disk too. */
const reserveBytes = 64 * 1024 * 1024
const lookEveryMs = 1_000

/** Knows whether the journal may grow. It looks about once a second, so that asking costs nothing. */
export class Space {
  #options: SpaceOptions
  #othersBytes = 0
  #freeBytes = Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(options: SpaceOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    await this.look()
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Why nothing more may be entered; undefined when it may. */
  shortage(ownBytes: number): string | undefined {
    if (this.#freeBytes < reserveBytes) return 'the disk under DATA_DIR is full'
    if (ownBytes + this.#othersBytes > this.#options.maxBytes)
      return 'the journal has reached JOURNAL_MAX_BYTES'
    return undefined
  }

  async look(): Promise<void> {
    try {
      const { bavail, bsize } = await (this.#options.statfs ?? statfs)(this.#options.root)
      this.#freeBytes = bavail * bsize
      this.#othersBytes = await this.#measureOthers()
    } catch {
      // What cannot be measured is left to the write itself to fail.
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
