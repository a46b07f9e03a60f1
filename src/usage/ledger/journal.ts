import * as fs from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Log } from '#kernel/log'
import { encodeFrame, recordTypes, type RecordType } from './frame.ts'
import { readPiece, type Damage } from './segment-reader.ts'
import type { Batch, Source } from './source.ts'

export interface JournalOptions {
  folder: string
  fsync: 'group' | 'always'
  log: Log
  /** Replaceable, so that a test can have a disk that fails. */
  write?: typeof fs.writeSync
  segmentBytes?: number
}

interface Segment {
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
 * The records of one process: appended to segments, read back for the database, deleted once they stand there.
 * Each record is one write, so that a killed process loses none; the disk follows in groups.
 */
export class Journal implements Source {
  readonly folder: string
  #options: JournalOptions
  #segments: Segment[] = []
  #unsettled = new Map<string, Unsettled>()
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

  constructor(options: JournalOptions) {
    this.#options = options
    this.folder = options.folder
  }

  start(): void {
    this.#rotate()
    if (this.#options.fsync === 'group') this.#timer = setInterval(() => this.#sync(), syncEveryMs).unref()
  }

  open(id: string, json: string): void {
    const segment = this.#append(recordTypes.open, id, json)
    this.#unsettled.set(id, { segment, json })
  }

  settle(id: string, json: string): void {
    this.#append(recordTypes.settle, id, json)
    this.#unsettled.delete(id)
    this.#hasSettledSinceTake = true
    this.#waitingSince ??= Date.now()
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
    const segment = this.#segments.find(({ size, copied }) => copied < size)
    if (!segment) return undefined
    const takenAt = Date.now()
    this.#hasSettledSinceTake = false
    const { frames, end, damage } = await readPiece(segment.path, segment.copied, segment.size)
    if (damage) this.#noteDamage(segment, damage)
    const rows = frames.filter(({ type }) => type === recordTypes.settle)
    const hasMore = end < segment.size || segment !== this.#segments.at(-1)
    return {
      rows,
      hasMore,
      done: async () => {
        this.#copied += end - segment.copied
        segment.copied = end
        if (!hasMore) this.#waitingSince = this.#hasSettledSinceTake ? takenAt : undefined
        await this.#release()
      },
    }
  }

  /** Deletes the folder when all of it stands in the database; what does not waits there for the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#file !== -1) {
      fs.fdatasyncSync(this.#file)
      fs.closeSync(this.#file)
      this.#file = -1
    }
    if (this.isDone) await rm(this.folder, { recursive: true, force: true })
  }

  #append(type: RecordType, id: string, json: string): Segment {
    let segment = this.#current
    if (!segment || segment.size >= (this.#options.segmentBytes ?? defaultSegmentBytes))
      segment = this.#rotate()
    const bytes = encodeFrame(type, id, json)
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
    this.#number++
    syncFolder(this.folder)
    if (this.#file !== -1) retire(this.#file)
    const segment: Segment = { path, size: 0, copied: 0, isDamaged: false }
    this.#file = file
    this.#current = segment
    this.#segments.push(segment)
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
