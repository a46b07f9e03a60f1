import * as fs from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Log } from '#kernel/log'
import { FrameBuffer, recordTypes } from './frame.ts'
import { RecentRows, type RecentRow } from './recent-rows.ts'
import { readPiece, rowsIn, type Damage } from './segment-reader.ts'
import type { Batch, EndedRow, Source, WaitingRow } from './source.ts'

export interface JournalOptions {
  folder: string
  fsync: 'group' | 'always'
  log: Log
  /** Called with each row that the disk did not take. */
  unwritten(row: EndedRow, error: unknown): void
  /** Replaceable, so that a test can have a disk that fails. */
  write?: typeof fs.writeSync
  segmentBytes?: number
}

interface Segment {
  number: number
  path: string
  size: number
  /** Up to here it stands in the database. */
  copied: number
  isDamaged: boolean
}

interface Unsettled {
  segment: Segment
  json: string
}

const defaultSegmentBytes = 16 * 1024 * 1024
const syncEveryMs = 100

/**
 * The records of one process: appended to segments, deleted once they stand in the database. A request is written
 * down before it goes upstream, and with it all that ended meanwhile; what ended last follows in the same turn of the
 * event loop. So a killed process loses none. The disk follows in groups.
 */
export class Journal implements Source {
  readonly folder: string
  #options: JournalOptions
  #segments: Segment[] = []
  #unsettled = new Map<string, Unsettled>()
  #frames = new FrameBuffer()
  #ended: { row: EndedRow; bytes: number }[] = []
  #recent = new RecentRows()
  #current: Segment | undefined
  #file = -1
  #number = 0
  #isDirty = false
  #isSyncing = false
  #timer: NodeJS.Timeout | undefined
  #bytes = 0
  #written = 0
  #copied = 0
  #waitingSince: number | undefined
  #hasSettledSinceTake = false
  #willFlush: NodeJS.Immediate | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.folder = options.folder
  }

  start(): void {
    this.#rotate()
    if (this.#options.fsync === 'group') this.#timer = setInterval(() => this.#sync(), syncEveryMs).unref()
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
    const isDamaged = this.#segments.some((segment) => segment.isDamaged)
    return this.#unsettled.size === 0 && this.#copied === this.#written && !isDamaged
  }

  async take(): Promise<Batch | undefined> {
    this.flush()
    const segment = this.#segments.find(({ size, copied }) => copied < size)
    if (!segment) return undefined
    const takenAt = Date.now()
    this.#hasSettledSinceTake = false
    const recent = this.#recent.isWhole ? this.#firstOf(segment) : undefined
    const { rows, end } = recent ?? (await this.#readFrom(segment))
    const hasMore = end < segment.size || segment !== this.#segments.at(-1)
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
    if (damage) this.#noteDamage(segment, damage)
    return { rows: rowsIn(frames), end }
  }

  /** Deletes the folder when all of it stands in the database; what does not waits there for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.flush()
    if (this.#file !== -1) {
      fs.fdatasyncSync(this.#file)
      fs.closeSync(this.#file)
      this.#file = -1
    }
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
      const segment = this.#append(this.#frames.bytes)
      this.#remember(segment, ended)
      return segment
    } catch (error) {
      for (const { row } of ended) this.#options.unwritten(row, error)
      throw error
    } finally {
      this.#frames.clear()
    }
  }

  #append(bytes: Buffer): Segment {
    let segment = this.#current
    if (!segment || segment.size >= (this.#options.segmentBytes ?? defaultSegmentBytes))
      segment = this.#rotate()
    try {
      this.#writeAll(bytes)
      if (this.#options.fsync === 'always') fs.fdatasyncSync(this.#file)
    } catch (error) {
      this.#cutBack(segment)
      throw error
    }
    segment.size += bytes.length
    this.#bytes += bytes.length
    this.#written += bytes.length
    this.#isDirty = true
    return segment
  }

  /** They stand first in what was just written. */
  #remember({ number, size }: Segment, ended: readonly { row: EndedRow; bytes: number }[]): void {
    let end = size - this.#frames.length
    for (const { row, bytes } of ended) {
      end += bytes
      this.#recent.add({ id: row.id, record: row.record, segment: number, end, bytes })
    }
  }

  #writeAll(bytes: Buffer): void {
    const write = this.#options.write ?? fs.writeSync
    let written = 0
    // A disk that runs full may take a part.
    while (written < bytes.length) written += write(this.#file, bytes, written, bytes.length - written)
  }

  /** Half a record must not stand before whole ones. */
  #cutBack(segment: Segment): void {
    try {
      fs.ftruncateSync(this.#file, segment.size)
    } catch {
      this.#current = undefined
    }
  }

  #rotate(): Segment {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const path = join(this.folder, `${String(this.#number).padStart(8, '0')}.log`)
    const file = fs.openSync(path, 'ax', 0o600)
    syncFolder(this.folder)
    if (this.#file !== -1) retire(this.#file)
    const segment: Segment = { number: this.#number, path, size: 0, copied: 0, isDamaged: false }
    this.#file = file
    this.#current = segment
    this.#segments.push(segment)
    this.#number++
    return segment
  }

  #sync(): void {
    if (!this.#isDirty || this.#isSyncing || this.#file === -1) return
    this.#isDirty = false
    this.#isSyncing = true
    fs.fdatasync(this.#file, (error) => {
      this.#isSyncing = false
      // The segment may have been closed meanwhile, which syncs it too.
      if (error && error.code !== 'EBADF')
        this.#options.log.error({ error }, 'the usage journal could not be synced')
    })
  }

  /** Oldest first. A request that still runs has its record carried on, so that it does not hold a whole segment. */
  async #release(): Promise<void> {
    for (;;) {
      const [oldest] = this.#segments
      if (!oldest || oldest === this.#current || oldest.copied < oldest.size) return
      for (const [id, { segment, json }] of this.#unsettled) if (segment === oldest) this.open(id, json)
      this.#segments.shift()
      this.#bytes -= oldest.size
      await dispose(oldest.path, oldest.isDamaged)
    }
  }

  #noteDamage(segment: Segment, damage: Damage): void {
    segment.isDamaged = true
    this.#options.log.error({ file: segment.path, ...damage }, 'the usage journal is damaged here')
  }
}

/** Deletes a segment that was read, or lays it aside, beside its folder, when a part of it could not be. */
export async function dispose(path: string, isDamaged: boolean): Promise<void> {
  await (isDamaged ? rename(path, `${dirname(path)}-${basename(path)}.damaged`) : rm(path, { force: true }))
}

/** The last group of a segment still has to reach the disk; nobody waits for it. */
function retire(file: number): void {
  fs.fdatasync(file, () => fs.close(file))
}

/** So that a new segment's name outlives a power cut; not every system can do it. */
function syncFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, 'r')
    fs.fsyncSync(handle)
    fs.closeSync(handle)
  } catch {
    // Windows has no such thing.
  }
}
