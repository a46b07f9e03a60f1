import { join } from 'node:path'
import { messageOf } from '#kernel/errors'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Log } from '#kernel/log'
import { ensurePartitions } from '../log/partitions.ts'
import { Copier } from './copier.ts'
import { createDelivery } from './delivery.ts'
import { leaveFolder, newFolder } from './folders.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { within } from './limit.ts'
import type { LedgerMetrics } from './metrics.ts'
import type { PriceBook } from '../cost/price-book.ts'
import { interruptedRecord } from './records.ts'
import type { EndedRow } from './source.ts'
import { Space, type SpaceOptions } from './space.ts'
import { Stranded } from './stranded.ts'
import { Takeover } from './takeover.ts'
import { Trouble } from './trouble.ts'

export interface BookDeps {
  database: Database
  config: Config
  log: Log
  metrics: LedgerMetrics
  prices: Pick<PriceBook, 'priceFor' | 'reachBack'>
  /** The disk, for tests in which it fails. */
  disk?: Pick<JournalOptions, 'write'> & Pick<SpaceOptions, 'statfs'>
}

const segmentBytes = 16 * 1024 * 1024
const stopLimitMs = 5_000
const catchUpLimitMs = 3_000
/** More rows than this are not held in memory, when neither the disk nor the database takes any. */
const mostStranded = 50_000

/** The journal of this process and all that brings it, and what others left, to the database. */
export class Book {
  #log: Log
  #journal: Journal
  #space: Space
  #stranded: Stranded
  #takeover: Takeover
  #copier: Copier
  #entering: Trouble

  constructor({ database, config, log, metrics, prices, disk = {} }: BookDeps) {
    const root = join(config.DATA_DIR, 'journal')
    const folder = newFolder(root)
    const maxBytes = config.JOURNAL_MAX_BYTES
    this.#log = log
    this.#journal = new Journal({
      ...disk,
      folder,
      fsync: config.JOURNAL_FSYNC,
      log,
      segmentBytes: Math.min(segmentBytes, Math.ceil(maxBytes / 8)),
      unwritten: (row, error) => this.#strand(row, error),
    })
    this.#space = new Space({ ...disk, root, ownFolder: folder, maxBytes })
    this.#stranded = new Stranded(
      (row) => this.#journal.settleNow(row),
      (id) => this.#journal.forget(id),
    )
    this.#takeover = new Takeover({
      root,
      log,
      interrupted: interruptedRecord,
      found: () => this.#copier.wake(),
    })
    const retentionDays = config.USAGE_LOG_RETENTION_DAYS
    const deliver = createDelivery({
      pool: database.pool,
      log,
      metrics,
      prices,
      rejectedFile: join(root, 'rejected.ndjson'),
      ensurePartitions: (from, to) => ensurePartitions(database.pool, from, to, retentionDays),
    })
    const sources = [this.#stranded, this.#journal, this.#takeover]
    this.#copier = new Copier({ log, metrics, sources, deliver })
    this.#entering = new Trouble(log, {
      began: `requests cannot be entered in the usage journal and are ${config.JOURNAL_FULL === 'serve' ? 'served all the same' : 'refused'}`,
      ended: 'requests can be entered in the usage journal again',
    })
  }

  get waitingBytes(): number {
    return this.#journal.written - this.#journal.copied + this.#takeover.waitingBytes
  }

  get oldestWaitingMs(): number {
    return this.#journal.oldestWaitingMs
  }

  async start(): Promise<void> {
    this.#journal.start()
    await this.#space.start()
    this.#takeover.start()
  }

  async stop(): Promise<void> {
    await this.#copier.stop(stopLimitMs)
    this.#space.stop()
    this.#takeover.stop()
    await this.#journal.stop()
    leaveFolder(this.#journal.folder)
  }

  /** Rejects when it cannot be written down. */
  async open(id: string, json: string): Promise<void> {
    try {
      const shortage = this.#space.shortage(this.#journal.bytes)
      if (shortage) throw new Error(shortage)
      await this.#journal.open(id, json)
      this.#entering.ended()
    } catch (error) {
      this.#entering.began(messageOf(error))
      throw error
    }
  }

  settle(row: EndedRow): void {
    this.#journal.settle(row)
    this.#copier.wake()
  }

  #strand(row: EndedRow, error: unknown): void {
    this.#entering.began(messageOf(error))
    if (this.#stranded.size < mostStranded) this.#stranded.add(row)
    else
      this.#log.error(
        { requestId: `req_${row.id}` },
        'a request could be written nowhere: the usage log lacks it',
      )
  }

  async caughtUp(): Promise<void> {
    this.#journal.flush()
    const wanted = this.#journal.written
    const deadline = Date.now() + catchUpLimitMs
    const isWaiting = (): boolean => this.#journal.copied < wanted || this.#stranded.size > 0
    while (isWaiting() && !this.#copier.isFailing && Date.now() < deadline) {
      await within(catchUpLimitMs, this.#copier.pass())
    }
  }
}
