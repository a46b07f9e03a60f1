import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#kernel/log'
import { recordTypes, type Frame } from './frame.ts'
import { readChunk, rowsIn } from './segment-reader.ts'
import { removeSegment } from './segments.ts'
import type { Batch, Source, WaitingRow } from './source.ts'

interface OrphanSegment {
  path: string
  size: number
  read: number
  isDamaged: boolean
}

export interface OrphanJournalOptions {
  folder: string
  log: Log
  /** Makes the record of a request that never ended from its open record. */
  interrupted(opened: string, endedAt: Date): string
}

/** Interrupted requests per batch. */
const batchRows = 1_000

/**
 * The journal of a process that has ended. Settled requests are copied first; those that are still open after that
 * were interrupted. Nothing is deleted before the whole folder is in the database, so copying can start over.
 */
export class OrphanJournal implements Source {
  readonly folder: string
  #options: OrphanJournalOptions
  #segments: OrphanSegment[] | undefined
  #open = new Map<string, Buffer>()
  #endedAt = new Date(0)

  constructor(options: OrphanJournalOptions) {
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

  /** To be called when `take` returns nothing. */
  async remove(): Promise<void> {
    for (const { path, isDamaged } of this.#segments ?? []) await removeSegment(path, isDamaged)
    await rmdir(this.folder).catch(() => rm(this.folder, { recursive: true, force: true }))
  }

  async #settledIn(segment: OrphanSegment): Promise<Batch> {
    const { frames, end, damage } = await readChunk(segment.path, segment.read, segment.size)
    return {
      rows: rowsIn(frames),
      hasMore: true,
      done: async () => {
        segment.read = end
        for (const frame of frames) this.#trackOpen(frame)
        if (!damage) return
        segment.isDamaged ||= !damage.isTorn
        const { log } = this.#options
        if (damage.isTorn)
          log.warn(
            { file: segment.path, ...damage },
            'the usage journal ends with an incomplete record, which is skipped',
          )
        else
          log.error(
            { file: segment.path, ...damage },
            'the usage journal is damaged; the readable records are copied',
          )
      },
    }
  }

  #trackOpen({ type, id, payload }: Frame): void {
    // Copied, so that the chunk it was read from can be freed.
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

  async #list(): Promise<OrphanSegment[]> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith('.log')).toSorted()
    const segments: OrphanSegment[] = []
    for (const name of names) {
      const path = join(this.folder, name)
      const { size, mtime } = await stat(path)
      // The process wrote at least until then.
      if (mtime > this.#endedAt) this.#endedAt = mtime
      segments.push({ path, size, read: 0, isDamaged: false })
    }
    return segments
  }
}
