import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Meter, OpenEntry, Outcome } from '#gateway'
import { Fault, faults, messageOf } from '#kernel/errors'
import type { UsageDeps } from '../deps.ts'
import { reckon } from '../cost/reckon.ts'
import type { Estimator } from '../cost/estimate.ts'
import type { PriceBook } from '../cost/price-book.ts'
import { storableText } from '../cost/storable.ts'
import { ensurePartitions } from '../log/partitions.ts'
import type { LedgerRow } from '../row.ts'
import { createAnnounce } from './announce.ts'
import { Copier } from './copier.ts'
import { createDelivery } from './delivery.ts'
import { leaveFolder, newFolder } from './folders.ts'
import { interruptedRow } from './interrupted.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { createLedgerMetrics } from './metrics.ts'
import { Space, type SpaceOptions } from './space.ts'
import { Stranded } from './stranded.ts'
import { Takeover } from './takeover.ts'
import { Trouble } from './trouble.ts'

export interface Ledger extends Meter {
  start(): Promise<void>
  /** Copies what it can within a few seconds; the rest waits on the disk for the next start. */
  stop(): Promise<void>
  /** Waits, for a few seconds at most, until all that this process settled so far stands in the database. */
  caughtUp(): Promise<void>
}

export interface LedgerDeps extends UsageDeps {
  prices: Pick<PriceBook, 'priceFor'>
  estimator: Pick<Estimator, 'count'>
  /** The disk, for tests in which it fails. */
  disk?: Pick<JournalOptions, 'write'> & Pick<SpaceOptions, 'statfs'>
}

const segmentBytes = 16 * 1024 * 1024
const stopLimitMs = 5_000
const catchUpLimitMs = 3_000
/** More rows than this are not held in memory, when neither the disk nor the database takes any. */
const mostStranded = 50_000

/**
 * Enters every request in the journal before it is served, and its row at its end; the journal is then copied to the
 * database. No request ever waits for the database.
 */
export function createLedger(deps: LedgerDeps): Ledger {
  const { config, log, database, disk = {} } = deps
  const root = join(config.DATA_DIR, 'journal')
  const announce = createAnnounce(deps.events, config.API_CALL_EVENTS_PER_SECOND)
  const entering = new Trouble(log, {
    began: `requests cannot be entered in the usage journal; they are ${config.JOURNAL_FULL === 'serve' ? 'served without' : 'refused'}`,
    ended: 'requests can be entered in the usage journal again',
  })
  const counting = new Set<Promise<void>>()
  let parts: ReturnType<typeof begin> | undefined
  const metrics = createLedgerMetrics(deps.metrics, {
    waitingBytes: () => (parts ? parts.journal.waitingBytes + parts.takeover.waitingBytes : 0),
    oldestWaitingMs: () => parts?.journal.oldestWaitingMs ?? 0,
  })

  function begin() {
    const folder = newFolder(root)
    const journal = new Journal({
      ...disk,
      folder,
      aside: folder,
      fsync: config.JOURNAL_FSYNC,
      log,
      segmentBytes: Math.min(segmentBytes, Math.ceil(config.JOURNAL_MAX_BYTES / 8)),
    })
    const space = new Space({ ...disk, root, ownFolder: folder, maxBytes: config.JOURNAL_MAX_BYTES })
    const stranded = new Stranded(
      (id, json) => journal.settle(id, json),
      (id) => journal.forget(id),
    )
    const takeover = new Takeover({ root, log, interrupted: interruptedRow, found: () => copier.wake() })
    const deliver = createDelivery({
      pool: database.pool,
      log,
      metrics,
      rejectedFile: join(root, 'rejected.ndjson'),
      ensurePartitions: (from, to) =>
        ensurePartitions(database.pool, from, to, config.USAGE_LOG_RETENTION_DAYS),
    })
    const copier: Copier = new Copier({ log, metrics, sources: [stranded, journal, takeover], deliver })
    return { journal, space, stranded, takeover, copier }
  }

  function running(): ReturnType<typeof begin> {
    if (!parts) throw new Fault(faults.unavailable, 'Signalbox is not ready to take requests.')
    return parts
  }

  function enter(entry: OpenEntry, id: string): void {
    const { journal, space } = running()
    try {
      const shortage = space.shortage(journal.bytes)
      if (shortage) throw new Error(shortage)
      journal.open(id, JSON.stringify(entry))
      entering.ended()
    } catch (error) {
      entering.began(messageOf(error))
      if (config.JOURNAL_FULL === 'serve') metrics.unmetered()
      else throw notEntered(error)
    }
  }

  function write(entry: OpenEntry, outcome: Outcome, id: string, row: LedgerRow): void {
    const { journal, stranded, copier } = running()
    const json = JSON.stringify(row)
    try {
      journal.settle(id, json)
    } catch (error) {
      entering.began(messageOf(error))
      if (stranded.size < mostStranded) stranded.add(id, json)
      else
        log.error(
          { requestId: entry.requestId },
          'a request could be written nowhere and is lost to the usage log',
        )
    }
    copier.wake()
    announce(entry, outcome, row)
  }

  async function countThenWrite(entry: OpenEntry, outcome: Outcome, id: string): Promise<void> {
    const counted = outcome.estimateFrom
      ? await deps.estimator.count(outcome.estimateFrom).catch((error: unknown) => {
          log.error({ error, requestId: entry.requestId }, 'the tokens of a request could not be counted')
          return undefined
        })
      : undefined
    write(entry, outcome, id, reckon(entry, outcome, deps.prices, counted))
  }

  return {
    open(given) {
      const entry = bounded(given)
      const id = entry.requestId.slice(4)
      enter(entry, id)
      return {
        settle(outcome) {
          if (outcome.usage || !outcome.estimateFrom)
            return write(entry, outcome, id, reckon(entry, outcome, deps.prices))
          const count = countThenWrite(entry, outcome, id).finally(() => counting.delete(count))
          counting.add(count)
        },
      }
    },
    async start() {
      parts = begin()
      parts.journal.start()
      await parts.space.start()
      parts.takeover.start()
    },
    async stop() {
      if (!parts) return
      const { journal, space, takeover, copier } = parts
      await within(stopLimitMs, Promise.all(counting))
      await copier.stop(stopLimitMs)
      space.stop()
      takeover.stop()
      await journal.stop()
      leaveFolder(journal.folder)
    },
    async caughtUp() {
      if (!parts) return
      const { journal, copier } = parts
      await within(catchUpLimitMs, Promise.all(counting))
      const wanted = journal.settled
      const deadline = Date.now() + catchUpLimitMs
      while (journal.copied < wanted && !copier.isFailing && Date.now() < deadline)
        await within(catchUpLimitMs, copier.pass())
    },
  }
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, wait(limitMs, undefined, { ref: false })])
}

/** A record is bounded, whatever a client sends as a name. */
function bounded(entry: OpenEntry): OpenEntry {
  const { model, userLabel } = entry
  if (model.length <= 300 && (userLabel?.length ?? 0) <= 256) return entry
  return { ...entry, model: storableText(model, 300), userLabel: userLabel && storableText(userLabel, 256) }
}

function notEntered(cause: unknown): Fault {
  return new Fault(
    faults.unavailable,
    'The request was not served: it could not be entered in the usage journal. Try again later; the operator ' +
      'should look at the disk under DATA_DIR and at the connection to the database.',
    { cause, internal: messageOf(cause), headers: { 'retry-after': '5' } },
  )
}
