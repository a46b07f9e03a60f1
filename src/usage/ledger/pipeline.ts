import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '#kernel/errors'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Log } from '#kernel/log'
import { ensurePartitions } from '../log/partitions.ts'
import { Copier, Incident } from './copier.ts'
import { createDelivery } from './delivery.ts'
import { releaseFolder, newFolder } from './folders.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { waitAtMost } from './wait-at-most.ts'
import type { LedgerMetrics } from './metrics.ts'
import type { PriceCatalog } from '../cost/price-catalog.ts'
import { interruptedRecord } from './records.ts'
import type { EndedRow } from './source.ts'
import { UnwrittenRows } from './waiting-rows.ts'
import { OrphanJournals } from './orphan-journals.ts'
import { journalFolder } from './inspect-journal.ts'

export interface PipelineDeps {
  database: Database
  config: Config
  log: Log
  metrics: LedgerMetrics
  prices: Pick<PriceCatalog, 'priceFor' | 'loadBackTo'>
  /** Replaceable, so that a test can simulate a failing disk. */
  disk?: Pick<JournalOptions, 'write'> & Pick<DiskQuotaOptions, 'statfs'>
}

const segmentBytes = 16 * 1024 * 1024
const stopLimitMs = 5_000
const catchUpLimitMs = 3_000
/** The most rows kept in memory while neither the disk nor the database accepts any. */
const maxUnwritten = 50_000

/** The journal of this process, and the copying of it and of orphaned journals to the database. */
export class LedgerPipeline {
  #log: Log
  #journal: Journal
  #quota: DiskQuota
  #unwritten: UnwrittenRows
  #orphans: OrphanJournals
  #copier: Copier
  #writeFailure: Incident

  constructor({ database, config, log, metrics, prices, disk = {} }: PipelineDeps) {
    const root = journalFolder(config.DATA_DIR)
    const folder = newFolder(root)
    const maxBytes = config.JOURNAL_MAX_BYTES
    this.#log = log
    this.#journal = new Journal({
      ...disk,
      folder,
      fsync: config.JOURNAL_FSYNC,
      log,
      segmentBytes: Math.min(segmentBytes, Math.ceil(maxBytes / 8)),
      onUnwritten: (row, error) => this.#keepUnwritten(row, error),
    })
    this.#quota = new DiskQuota({ ...disk, root, ownFolder: folder, maxBytes })
    this.#unwritten = new UnwrittenRows(
      (row) => this.#journal.settleNow(row),
      (id) => this.#journal.forget(id),
    )
    this.#orphans = new OrphanJournals({
      root,
      log,
      interrupted: interruptedRecord,
      onFound: () => this.#copier.wake(),
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
    const sources = [this.#unwritten, this.#journal, this.#orphans]
    this.#copier = new Copier({ log, metrics, sources, deliver })
    this.#writeFailure = new Incident(log, {
      began: `requests cannot be written to the usage journal and are ${config.JOURNAL_FULL === 'serve' ? 'served without a log entry' : 'refused'}`,
      ended: 'requests can be written to the usage journal again',
    })
  }

  get waitingBytes(): number {
    return this.#journal.written - this.#journal.copied + this.#orphans.waitingBytes
  }

  get oldestWaitingMs(): number {
    return this.#journal.oldestWaitingMs
  }

  async start(): Promise<void> {
    this.#journal.start()
    await this.#quota.start()
    this.#orphans.start()
  }

  async stop(): Promise<void> {
    await this.#copier.stop(stopLimitMs)
    this.#quota.stop()
    this.#orphans.stop()
    await this.#journal.stop()
    releaseFolder(this.#journal.folder)
  }

  /** Rejects when the request cannot be written to the journal. */
  async open(id: string, json: string): Promise<void> {
    try {
      const violation = this.#quota.violation(this.#journal.bytes)
      if (violation) throw new Error(violation)
      await this.#journal.open(id, json)
      this.#writeFailure.end()
    } catch (error) {
      this.#writeFailure.begin(messageOf(error))
      throw error
    }
  }

  /** Writes the open record again with what is known by now. The request does not wait for it. */
  reopen(id: string, json: string): void {
    this.#journal.open(id, json).catch((error: unknown) => this.#writeFailure.begin(messageOf(error)))
  }

  /** Whether a request could be written now. After a failure this is tried, since no request may come that would. */
  get isWritable(): boolean {
    if (this.#quota.violation(this.#journal.bytes) !== undefined) return false
    if (!this.#writeFailure.isActive) return true
    return this.#journal.canWrite()
  }

  settle(row: EndedRow): void {
    this.#journal.settle(row)
    this.#copier.wake()
  }

  #keepUnwritten(row: EndedRow, error: unknown): void {
    this.#writeFailure.begin(messageOf(error))
    if (this.#unwritten.size < maxUnwritten) this.#unwritten.add(row)
    else
      this.#log.error(
        { requestId: `req_${row.id}` },
        'a request is missing from the usage log: neither the disk nor the database accepted it',
      )
  }

  async caughtUp(): Promise<void> {
    this.#journal.flush()
    const wanted = this.#journal.written
    const deadline = Date.now() + catchUpLimitMs
    const isWaiting = (): boolean => this.#journal.copied < wanted || this.#unwritten.size > 0
    while (isWaiting() && !this.#copier.isFailing && Date.now() < deadline) {
      await waitAtMost(catchUpLimitMs, this.#copier.copyNow())
    }
  }
}

interface DiskQuotaOptions {
  root: string
  /** Not measured here: its process knows its size exactly. */
  ownFolder: string
  maxBytes: number
  /** Replaceable, so that a test can simulate a full disk. */
  statfs?: (path: string) => Promise<{ bavail: number; bsize: number }>
}

/** Kept free on the disk: running requests must still be settled, and other programs need the disk too. */
const reserveBytes = 64 * 1024 * 1024
const measureEveryMs = 1_000

/** Knows whether the journal may grow. The disk is measured once a second, so a check costs no system call. */
class DiskQuota {
  #options: DiskQuotaOptions
  #othersBytes = 0
  #freeBytes = Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(options: DiskQuotaOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    await this.measure()
    this.#timer = setInterval(() => void this.measure(), measureEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Why the journal must not grow; undefined when it may. */
  violation(ownBytes: number): string | undefined {
    if (this.#freeBytes < reserveBytes) return 'the disk under DATA_DIR is full'
    if (ownBytes + this.#othersBytes > this.#options.maxBytes)
      return 'the journal has reached JOURNAL_MAX_BYTES'
    return undefined
  }

  async measure(): Promise<void> {
    try {
      const { bavail, bsize } = await (this.#options.statfs ?? statfs)(this.#options.root)
      this.#freeBytes = bavail * bsize
      this.#othersBytes = await this.#measureOthers()
    } catch {
      // Where the disk cannot be measured, a full disk makes the write itself fail.
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
