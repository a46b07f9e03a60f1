import { rm } from 'node:fs/promises'
import { fits, FrameBuffer, recordTypes, tooLong } from './frame.ts'
import { RecentRows, type RecentRow } from './waiting-rows.ts'
import { readChunk, rowsIn } from './segment-reader.ts'
import { Segments, type Segment, type SegmentsOptions } from './segments.ts'
import type { Batch, EndedRow, Source, WaitingRow } from './source.ts'

export interface JournalOptions extends SegmentsOptions {
  /** Called with each row that could not be written. */
  onUnwritten(row: EndedRow, error: unknown): void
}

interface OpenRequest {
  segment: Segment
  json: string
}

/** Records that are written together at the end of this turn of the event loop. */
interface Turn {
  opened: { id: string; json: string }[]
  ended: EndedRow[]
  written: PromiseWithResolvers<void> | undefined
}

/**
 * The journal of one process: records are appended to segments and deleted once they are in the database. A request is
 * written before it goes upstream, together with all others that begin or end in the same turn of the event loop. So a
 * killed process loses none, and many requests share a write.
 */
export class Journal implements Source {
  readonly folder: string
  #options: JournalOptions
  #segments: Segments
  #openRequests = new Map<string, OpenRequest>()
  #bytes = 0
  #frames = new FrameBuffer()
  #turn: Turn = { opened: [], ended: [], written: undefined }
  #recent = new RecentRows()
  #written = 0
  #copied = 0
  #waitingSince: number | undefined
  #hasSettledSinceTake = false
  #scheduledWrite: NodeJS.Immediate | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.folder = options.folder
    this.#segments = new Segments(options)
  }

  start(): void {
    this.#segments.start()
  }

  /** Rejects when the write fails. */
  open(id: string, json: string): Promise<void> {
    if (!fits(json)) return Promise.reject(tooLong())
    const turn = this.#turn
    turn.opened.push({ id, json })
    turn.written ??= Promise.withResolvers()
    this.#scheduleWrite()
    return turn.written.promise
  }

  settle(row: EndedRow): void {
    this.#turn.ended.push(row)
    this.#hasSettledSinceTake = true
    this.#waitingSince ??= Date.now()
    this.#scheduleWrite()
  }

  /** Writes at once. Throws when the write fails, after calling `onUnwritten`. */
  settleNow(row: EndedRow): void {
    this.settle(row)
    this.#write()
  }

  flush(): void {
    try {
      this.#write()
    } catch {
      // The promises of the opened requests were rejected, and `onUnwritten` was called for the others.
    }
  }

  /** Tries to write, without a record. */
  canWrite(): boolean {
    return this.#segments.canWrite()
  }

  /** Called when the request is in the database although its end was never written here. */
  forget(id: string): void {
    this.#openRequests.delete(id)
  }

  /** Bytes written since the start, and how many of them are in the database. */
  get written(): number {
    return this.#written
  }
  get copied(): number {
    return this.#copied
  }
  /** An upper bound of how long the oldest row has been waiting for the database. */
  get oldestWaitingMs(): number {
    return this.#waitingSince === undefined ? 0 : Date.now() - this.#waitingSince
  }
  /** Bytes on the disk, copied or not. */
  get bytes(): number {
    return this.#bytes
  }
  get isEmpty(): boolean {
    const isDamaged = this.#segments.all.some((segment) => segment.isDamaged)
    return this.#openRequests.size === 0 && this.#copied === this.#written && !isDamaged
  }

  async take(): Promise<Batch | undefined> {
    this.flush()
    const segment = this.#segments.all.find(({ size, copied }) => copied < size)
    if (!segment) return undefined
    const takenAt = Date.now()
    this.#hasSettledSinceTake = false
    const recent = this.#recent.isComplete ? this.#firstRecent(segment) : undefined
    const { rows, end } = recent ?? (await this.#readFrom(segment))
    const hasMore = end < segment.size || segment !== this.#segments.all.at(-1)
    return {
      rows,
      hasMore,
      done: async () => {
        this.#copied += end - segment.copied
        segment.copied = end
        if (recent) this.#recent.drop(recent.rows)
        else if (this.#copied === this.#written) this.#recent.restart()
        if (!hasMore) this.#waitingSince = this.#hasSettledSinceTake ? takenAt : undefined
        await this.#release()
      },
    }
  }

  #firstRecent({ number, size }: Segment): { rows: readonly RecentRow[]; end: number } {
    const { rows, areAll } = this.#recent.first(number)
    // Only open records follow the last settled row.
    return { rows, end: areAll ? size : (rows.at(-1)?.end ?? size) }
  }

  async #readFrom(segment: Segment): Promise<{ rows: readonly WaitingRow[]; end: number }> {
    const { frames, end, damage } = await readChunk(segment.path, segment.copied, segment.size)
    if (damage) {
      segment.isDamaged = true
      this.#options.log.error(
        { file: segment.path, ...damage },
        'the usage journal is damaged; the readable records are copied',
      )
    }
    return { rows: rowsIn(frames), end }
  }

  /** Deletes the folder when everything is in the database; otherwise it stays for the next start. */
  async stop(): Promise<void> {
    this.flush()
    this.#segments.stop()
    if (this.isEmpty) await rm(this.folder, { recursive: true, force: true })
  }

  #scheduleWrite(): void {
    this.#scheduledWrite ??= setImmediate(() => this.flush())
  }

  /** Writes all gathered records or none, except for the ends that are too long. */
  #write(): void {
    clearImmediate(this.#scheduledWrite)
    this.#scheduledWrite = undefined
    const turn = this.#turn
    if (turn.opened.length === 0 && turn.ended.length === 0) return
    this.#turn = { opened: [], ended: [], written: undefined }
    let unfit: readonly EndedRow[]
    try {
      unfit = this.#append(turn)
      turn.written?.resolve()
    } catch (error) {
      turn.written?.reject(error)
      throw this.#report(turn.ended, error)
    } finally {
      this.#frames.clear()
    }
    if (unfit.length > 0) throw this.#report(unfit, tooLong())
  }

  #report(rows: readonly EndedRow[], error: unknown): unknown {
    for (const row of rows) this.#options.onUnwritten(row, error)
    return error
  }

  /** A request may end in the turn in which it begins, so open records come first. Returns the ends that are too long. */
  #append({ opened, ended }: Turn): readonly EndedRow[] {
    for (const { id, json } of opened) this.#frames.add(recordTypes.open, id, json)
    const written: { row: EndedRow; bytes: number }[] = []
    const unfit: EndedRow[] = []
    for (const row of ended) {
      const json = row.json()
      if (fits(json)) written.push({ row, bytes: this.#frames.add(recordTypes.settle, row.id, json) })
      else unfit.push(row)
    }
    const segment = this.#segments.append(this.#frames.bytes)
    this.#bytes += this.#frames.length
    this.#written += this.#frames.length
    for (const { id, json } of opened) this.#openRequests.set(id, { segment, json })
    let end = segment.size - written.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { row, bytes } of written) {
      end += bytes
      this.#openRequests.delete(row.id)
      this.#recent.add({ id: row.id, record: row.record, segment: segment.number, end, bytes })
    }
    return unfit
  }

  /** The open record of a running request is written again, so that it does not keep an old segment. */
  async #release(): Promise<void> {
    for (let oldest = this.#segments.copied; oldest; oldest = this.#segments.copied) {
      for (const [id, { segment, json }] of this.#openRequests)
        if (segment === oldest) this.#turn.opened.push({ id, json })
      this.#write()
      this.#bytes -= oldest.size
      await this.#segments.removeOldest()
    }
  }
}
