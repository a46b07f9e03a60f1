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

/** What is written at the end of this turn. */
interface Turn {
  opened: { id: string; json: string }[]
  ended: EndedRow[]
  written: PromiseWithResolvers<void> | undefined
}

/**
 * The records of one process: appended to segments, deleted once they stand in the database. A request is written
 * down before it goes upstream, together with all that begin or end in the same turn of the event loop. So a killed
 * process loses none, and many requests share a write.
 */
export class Journal implements Source {
  readonly folder: string
  #options: JournalOptions
  #segments: Segments
  #unsettled = new Map<string, Unsettled>()
  #bytes = 0
  #frames = new FrameBuffer()
  #turn: Turn = { opened: [], ended: [], written: undefined }
  #recent = new RecentRows()
  #written = 0
  #copied = 0
  #waitingSince: number | undefined
  #hasSettledSinceTake = false
  #willWrite: NodeJS.Immediate | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.folder = options.folder
    this.#segments = new Segments(options)
  }

  start(): void {
    this.#segments.start()
  }

  /** Rejects when the disk does not take it. */
  open(id: string, json: string): Promise<void> {
    const turn = this.#turn
    turn.opened.push({ id, json })
    turn.written ??= Promise.withResolvers()
    this.#writeSoon()
    return turn.written.promise
  }

  settle(row: EndedRow): void {
    this.#turn.ended.push(row)
    this.#hasSettledSinceTake = true
    this.#waitingSince ??= Date.now()
    this.#writeSoon()
  }

  /** At once. Throws when the disk does not take it, after `unwritten` was told. */
  settleNow(row: EndedRow): void {
    this.settle(row)
    this.#write()
  }

  flush(): void {
    try {
      this.#write()
    } catch {
      // Whoever waits for it was told.
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

  #writeSoon(): void {
    this.#willWrite ??= setImmediate(() => this.flush())
  }

  /** Writes what was gathered; all of it or nothing. */
  #write(): void {
    clearImmediate(this.#willWrite)
    this.#willWrite = undefined
    const turn = this.#turn
    if (turn.opened.length === 0 && turn.ended.length === 0) return
    this.#turn = { opened: [], ended: [], written: undefined }
    try {
      this.#append(turn)
      turn.written?.resolve()
    } catch (error) {
      turn.written?.reject(error)
      for (const row of turn.ended) this.#options.unwritten(row, error)
      throw error
    } finally {
      this.#frames.clear()
    }
  }

  /** A request may end in the turn in which it begins, so what begins stands first. */
  #append({ opened, ended }: Turn): void {
    for (const { id, json } of opened) this.#frames.add(recordTypes.open, id, json)
    const lengths = ended.map(({ id, json }) => this.#frames.add(recordTypes.settle, id, json()))
    const segment = this.#segments.append(this.#frames.bytes)
    this.#bytes += this.#frames.length
    this.#written += this.#frames.length
    for (const { id, json } of opened) this.#unsettled.set(id, { segment, json })
    let end = segment.size - lengths.reduce((sum, length) => sum + length, 0)
    for (const [index, { id, record }] of ended.entries()) {
      const bytes = lengths[index] ?? 0
      end += bytes
      this.#unsettled.delete(id)
      this.#recent.add({ id, record, segment: segment.number, end, bytes })
    }
  }

  /** A request that still runs has its record carried on, so that it does not hold a whole segment. */
  async #release(): Promise<void> {
    for (let oldest = this.#segments.copied; oldest; oldest = this.#segments.copied) {
      for (const [id, { segment, json }] of this.#unsettled)
        if (segment === oldest) this.#turn.opened.push({ id, json })
      this.#write()
      this.#bytes -= oldest.size
      await this.#segments.removeOldest()
    }
  }
}
