import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#kernel/log'
import { recordTypes, type Frame } from './frame.ts'
import { readPiece, rowsIn } from './segment-reader.ts'
import { dispose } from './segments.ts'
import type { Batch, Source, WaitingRow } from './source.ts'

interface LeftSegment {
  path: string
  size: number
  read: number
  isDamaged: boolean
}

export interface LeftFolderOptions {
  folder: string
  log: Log
  /** The record of a request that never ended, from its open record. */
  interrupted(opened: string, endedAt: Date): string
}

/** How many interrupted requests go to the database at a time. */
const batchRows = 1_000

/**
 * The segments of a process that is no more. All that was settled is copied first; what then is still open was
 * interrupted. Nothing is deleted before the whole folder stands in the database, so that it can begin again.
 */
export class LeftFolder implements Source {
  readonly folder: string
  #options: LeftFolderOptions
  #segments: LeftSegment[] | undefined
  #open = new Map<string, Buffer>()
  #endedAt = new Date(0)

  constructor(options: LeftFolderOptions) {
    this.#options = options
    this.folder = options.folder
  }

  get waitingBytes(): number {
    return (this.#segments ?? []).reduce((sum, { size, read }) => sum + size - read, 0)
  }

  async take(): Promise<Batch | undefined> {
    this.#segments ??= await this.#list()
    const segment = this.#segments.find(({ size, read }) => read < size)
    if (segment) return this.#settledIn(segment)
    return this.#open.size > 0 ? this.#interrupted() : undefined
  }

  /** Once there is nothing more to take. */
  async remove(): Promise<void> {
    for (const { path, isDamaged } of this.#segments ?? []) await dispose(path, isDamaged)
    await rmdir(this.folder).catch(() => rm(this.folder, { recursive: true, force: true }))
  }

  async #settledIn(segment: LeftSegment): Promise<Batch> {
    const { frames, end, damage } = await readPiece(segment.path, segment.read, segment.size)
    return {
      rows: rowsIn(frames),
      hasMore: true,
      done: async () => {
        segment.read = end
        for (const frame of frames) this.#follow(frame)
        if (!damage) return
        segment.isDamaged ||= !damage.isTorn
        const { log } = this.#options
        if (damage.isTorn)
          log.warn({ file: segment.path, ...damage }, 'a torn record ends the usage journal here')
        else log.error({ file: segment.path, ...damage }, 'the usage journal is damaged here')
      },
    }
  }

  #follow({ type, id, payload }: Frame): void {
    // Copied, since the piece it lies in is let go.
    if (type === recordTypes.open) this.#open.set(id, Buffer.from(payload))
    else this.#open.delete(id)
  }

  #interrupted(): Batch {
    const chosen = [...this.#open].slice(0, batchRows)
    const rows = chosen.map(([id, payload]): WaitingRow => ({
      id,
      record: Buffer.from(this.#options.interrupted(payload.toString(), this.#endedAt)),
    }))
    return {
      rows,
      hasMore: true,
      done: async () => {
        for (const [id] of chosen) this.#open.delete(id)
      },
    }
  }

  async #list(): Promise<LeftSegment[]> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith('.log')).toSorted()
    const segments: LeftSegment[] = []
    for (const name of names) {
      const path = join(this.folder, name)
      const { size, mtime } = await stat(path)
      // It ended no later than the last thing that its process wrote.
      if (mtime > this.#endedAt) this.#endedAt = mtime
      segments.push({ path, size, read: 0, isDamaged: false })
    }
    return segments
  }
}
