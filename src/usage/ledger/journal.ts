import { rm } from 'node:fs/promises'
import { FrameBuffer, recordTypes } from './frame.ts'
import { RecentRows, type RecentRow } from './recent-rows.ts'
import { readPiece, rowsIn } from './segment-reader.ts'
import { Segments, type Segment, type SegmentsOptions } from './segments.ts'
import type { Batch, EndedRow, Source, WaitingRow } from './source.ts'

export interface JournalOptions extends SegmentsOptions {
  /** Called with each row that the disk did not take. */
  unwritten(row: EndedRow, error: unknown): void
}

interface Unsettled {
  segment: Segment
  json: string
}

/**
 * The records of one process: appended to segments, deleted once they stand in the database. A request is written
 * down before it goes upstream, and with it all that ended meanwhile; what ended last follows in the same turn of the
 * event loop. So a killed process loses none.
 */
export class Journal implements Source {
  readonly folder: string
  #options: JournalOptions
  #segments: Segments
  #unsettled = new Map<string, Unsettled>()
  #bytes = 0
  #frames = new FrameBuffer()
  #ended: { row: EndedRow; bytes: number }[] = []
  #recent = new RecentRows()
  #written = 0
  #copied = 0
  #waitingSince: number | undefined
  #hasSettledSinceTake = false
  #willFlush: NodeJS.Immediate | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.folder = options.folder
    this.#segments = new Segments(options)
  }

  start(): void {
    this.#segments.start()
  }

  /** At once. Throws when the disk does not take it. */
  open(id: string, json: string): void {
    this.#frames.add(recordTypes.open, id, json)
    this.#unsettled.set(id, { segment: this.#write(), json })
  }

  /** At the end of this turn, or with the next request that opens. */
  settle(row: EndedRow): void {
    this.#add(row)
    if (this.#options.fsync === 'always') this.flush()
    else this.#willFlush ??= setImmediate(() => this.flush())
  }

  /** At once. Throws when the disk does not take it, after `unwritten` was told. */
  settleNow(row: EndedRow): void {
    this.#add(row)
    this.#write()
  }

  flush(): void {
    if (this.#frames.length === 0) return
    try {
      this.#write()
    } catch {
      // Whoever made the journal was told, row by row.
    }
  }

  /** The request stands in the database without a record of its end here. */
  forget(id: string): void {
    this.#unsettled.delete(id)
  }

  /** How many bytes were ever written here, and how many of them the database has. */
  get written(): number {
    return this.#written
  }
  get copied(): number {
    return this.#copied
  }
  /** At most, how long the oldest row has been waiting for the database. */
  get oldestWaitingMs(): number {
    return this.#waitingSince === undefined ? 0 : Date.now() - this.#waitingSince
  }
  /** On the disk, copied or not. */
  get bytes(): number {
    return this.#bytes
  }
  get isDone(): boolean {
    const isDamaged = this.#segments.all.some((segment) => segment.isDamaged)
    return this.#unsettled.size === 0 && this.#copied === this.#written && !isDamaged
  }

  async take(): Promise<Batch | undefined> {
    this.flush()
    const segment = this.#segments.all.find(({ size, copied }) => copied < size)
    if (!segment) return undefined
    const takenAt = Date.now()
    this.#hasSettledSinceTake = false
    const recent = this.#recent.isWhole ? this.#firstOf(segment) : undefined
    const { rows, end } = recent ?? (await this.#readFrom(segment))
    const hasMore = end < segment.size || segment !== this.#segments.all.at(-1)
    return {
      rows,
      hasMore,
      done: async () => {
        this.#copied += end - segment.copied
        segment.copied = end
        if (recent) this.#recent.drop(recent.rows)
        else if (this.#copied === this.#written) this.#recent.begin()
        if (!hasMore) this.#waitingSince = this.#hasSettledSinceTake ? takenAt : undefined
        await this.#release()
      },
    }
  }

  #firstOf({ number, size }: Segment): { rows: readonly RecentRow[]; end: number } {
    const { rows, areAll } = this.#recent.first(number)
    // Behind the last of all there are only requests that were opened.
    return { rows, end: areAll ? size : (rows.at(-1)?.end ?? size) }
  }

  async #readFrom(segment: Segment): Promise<{ rows: readonly WaitingRow[]; end: number }> {
    const { frames, end, damage } = await readPiece(segment.path, segment.copied, segment.size)
    if (damage) {
      segment.isDamaged = true
      this.#options.log.error({ file: segment.path, ...damage }, 'the usage journal is damaged here')
    }
    return { rows: rowsIn(frames), end }
  }

  /** Deletes the folder when all of it stands in the database; what does not waits there for the next start. */
  async stop(): Promise<void> {
    this.flush()
    this.#segments.stop()
    if (this.isDone) await rm(this.folder, { recursive: true, force: true })
  }

  #add(row: EndedRow): void {
    const bytes = this.#frames.add(recordTypes.settle, row.id, row.json)
    this.#ended.push({ row, bytes })
    this.#unsettled.delete(row.id)
    this.#hasSettledSinceTake = true
    this.#waitingSince ??= Date.now()
  }

  /** Writes what was gathered; all of it or nothing. */
  #write(): Segment {
    clearImmediate(this.#willFlush)
    this.#willFlush = undefined
    const ended = this.#ended
    this.#ended = []
    try {
      const segment = this.#segments.append(this.#frames.bytes)
      this.#bytes += this.#frames.length
      this.#written += this.#frames.length
      this.#remember(segment, ended)
      return segment
    } catch (error) {
      for (const { row } of ended) this.#options.unwritten(row, error)
      throw error
    } finally {
      this.#frames.clear()
    }
  }

  /** They stand first in what was just written. */
  #remember({ number, size }: Segment, ended: readonly { row: EndedRow; bytes: number }[]): void {
    let end = size - this.#frames.length
    for (const { row, bytes } of ended) {
      end += bytes
      this.#recent.add({ id: row.id, record: row.record, segment: number, end, bytes })
    }
  }

  /** A request that still runs has its record carried on, so that it does not hold a whole segment. */
  async #release(): Promise<void> {
    for (let oldest = this.#segments.copied; oldest; oldest = this.#segments.copied) {
      for (const [id, { segment, json }] of this.#unsettled) if (segment === oldest) this.open(id, json)
      this.#bytes -= oldest.size
      await this.#segments.removeOldest()
    }
  }
}
