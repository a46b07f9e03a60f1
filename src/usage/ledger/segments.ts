import * as fs from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '#kernel/datadir'
import type { Log } from '#kernel/log'

export interface SegmentsOptions {
  folder: string
  fsync: 'group' | 'always'
  log: Log
  /** Replaceable, so that a test can simulate a failing disk. */
  write?: typeof fs.writeSync
  segmentBytes?: number
}

export interface Segment {
  readonly number: number
  readonly path: string
  size: number
  /** Bytes that are in the database. */
  copied: number
  isDamaged: boolean
}

const defaultSegmentBytes = 16 * 1024 * 1024
const syncEveryMs = 100
const trialBytes = 16 * 1024

/** The files of a journal: records are appended to the newest, the older ones wait to be copied. */
export class Segments {
  #options: SegmentsOptions
  #all: Segment[] = []
  #current: Segment | undefined
  #file = -1
  #number = 0
  #isDirty = false
  #isSyncing = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: SegmentsOptions) {
    this.#options = options
  }

  start(): void {
    this.#rotate()
    if (this.#options.fsync === 'group') this.#timer = setInterval(() => this.#sync(), syncEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    if (this.#file === -1) return
    fs.fdatasyncSync(this.#file)
    fs.closeSync(this.#file)
    this.#file = -1
  }

  /** Oldest first. */
  get all(): readonly Segment[] {
    return this.#all
  }

  /** Writes all of it or nothing. Throws when the write fails. */
  append(bytes: Buffer): Segment {
    let segment = this.#current
    if (!segment || segment.size >= (this.#options.segmentBytes ?? defaultSegmentBytes))
      segment = this.#rotate()
    try {
      this.#writeAll(bytes)
      if (this.#options.fsync === 'always') fs.fdatasyncSync(this.#file)
    } catch (error) {
      this.#truncate(segment)
      throw error
    }
    segment.size += bytes.length
    this.#isDirty = true
    return segment
  }

  /** Tries with a file of its own: a process that is killed meanwhile must not leave half a record. */
  canWrite(): boolean {
    const path = join(this.#options.folder, 'trial')
    try {
      fs.mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 })
      const file = fs.openSync(path, 'w', 0o600)
      try {
        this.#writeAll(Buffer.alloc(trialBytes), file)
      } finally {
        fs.closeSync(file)
        fs.rmSync(path, { force: true })
      }
      return true
    } catch {
      return false
    }
  }

  /** The oldest segment, if it is completely in the database and no longer appended to. */
  get copied(): Segment | undefined {
    const [oldest] = this.#all
    return oldest && oldest !== this.#current && oldest.copied === oldest.size ? oldest : undefined
  }

  async removeOldest(): Promise<void> {
    const oldest = this.#all.shift()
    if (oldest) await removeSegment(oldest.path, oldest.isDamaged)
  }

  #writeAll(bytes: Buffer, file = this.#file): void {
    const write = this.#options.write ?? fs.writeSync
    let written = 0
    // A disk that is almost full may write only a part.
    while (written < bytes.length) written += write(file, bytes, written, bytes.length - written)
  }

  /** Removes a partly written record, so that the next one follows a complete one. */
  #truncate(segment: Segment): void {
    try {
      fs.ftruncateSync(this.#file, segment.size)
    } catch {
      this.#current = undefined
    }
  }

  #rotate(): Segment {
    const { folder } = this.#options
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${String(this.#number).padStart(8, '0')}.log`)
    const file = fs.openSync(path, 'ax', 0o600)
    const segment: Segment = { number: this.#number++, path, size: 0, copied: 0, isDamaged: false }
    this.#syncFolder()
    if (this.#file !== -1) syncAndClose(this.#file)
    this.#file = file
    this.#current = segment
    this.#all.push(segment)
    return segment
  }

  /** Requests continue when it fails: the segment itself is written. */
  #syncFolder(): void {
    try {
      syncFolder(this.#options.folder)
    } catch (error) {
      this.#options.log.error({ error }, 'could not sync the folder of the usage journal')
    }
  }

  #sync(): void {
    if (!this.#isDirty || this.#isSyncing || this.#file === -1) return
    this.#isDirty = false
    this.#isSyncing = true
    fs.fdatasync(this.#file, (error) => {
      this.#isSyncing = false
      // The segment may have been closed in the meantime, which syncs it too.
      if (error && error.code !== 'EBADF')
        this.#options.log.error({ error }, 'the usage journal could not be synced to the disk')
    })
  }
}

/** Deletes a segment that was copied; a damaged one is moved next to its folder instead. */
export async function removeSegment(path: string, isDamaged: boolean): Promise<void> {
  await (isDamaged ? rename(path, `${dirname(path)}-${basename(path)}.damaged`) : rm(path, { force: true }))
}

/** Syncs the end of a finished segment in the background. */
function syncAndClose(file: number): void {
  fs.fdatasync(file, () => fs.close(file))
}
