import type { Meter, OpenEntry, Outcome } from '#gateway'
import { Fault, faults, messageOf } from '#kernel/errors'
import type { Estimator } from '../cost/estimate.ts'
import { reckon } from '../cost/reckon.ts'
import { storableText } from '../cost/storable.ts'
import type { UsageDeps } from '../deps.ts'
import { createAnnounce } from './announce.ts'
import { Book, type BookDeps } from './book.ts'
import { within } from './limit.ts'
import { createLedgerMetrics } from './metrics.ts'
import { openRecord, settleRecord, type Counted } from './records.ts'

export interface Ledger extends Meter {
  start(): Promise<void>
  /** Copies what it can within a few seconds; the rest waits on the disk for the next start. */
  stop(): Promise<void>
  /** Waits, for a few seconds at most, until all that this process settled so far stands in the database. */
  caughtUp(): Promise<void>
}

export interface LedgerDeps extends Omit<BookDeps, 'metrics'>, Pick<UsageDeps, 'events' | 'metrics'> {
  /** Ended with the ledger. */
  estimator: Estimator
}

const countLimitMs = 2_000

/**
 * Enters every request in the journal before it is served, and its row at its end; the journal is then copied to the
 * database. No request ever waits for the database.
 */
export function createLedger(deps: LedgerDeps): Ledger {
  const { config, log } = deps
  const announce = createAnnounce(deps.events, config.API_CALL_EVENTS_PER_SECOND)
  const counting = new Set<Promise<void>>()
  let book: Book | undefined
  const metrics = createLedgerMetrics(deps.metrics, {
    waitingBytes: () => book?.waitingBytes ?? 0,
    oldestWaitingMs: () => book?.oldestWaitingMs ?? 0,
  })

  async function enter(entry: OpenEntry, record: string): Promise<void> {
    try {
      if (!book) throw new Error('the ledger is not started')
      await book.open(entry.requestId.slice(4), record)
    } catch (error) {
      if (config.JOURNAL_FULL === 'refuse') throw notEntered(error)
      metrics.unmetered()
    }
  }

  function write(entry: OpenEntry, opened: string, outcome: Outcome, counted?: Counted): void {
    const record = { entry, outcome, counted }
    const json = (): string => settleRecord(opened, outcome, counted)
    book?.settle({ id: entry.requestId.slice(4), json, record })
    announce(entry, outcome, () => reckon(record, deps.prices))
  }

  /** While the tokens are counted the request stays open in the journal. */
  function countThenWrite(entry: OpenEntry, opened: string, outcome: Outcome): void {
    const work = deps.estimator
      .count(outcome.estimateFrom ?? { prompt: '', delivered: '' })
      .catch((error: unknown) => {
        log.error({ error, requestId: entry.requestId }, 'the tokens of a request could not be counted')
        return undefined
      })
      // The texts may be megabytes, and what is written waits in memory for the database.
      .then((counted) => write(entry, opened, { ...outcome, estimateFrom: null }, counted))
      .finally(() => counting.delete(work))
    counting.add(work)
  }

  const allCounted = (): Promise<void> => within(countLimitMs, Promise.all(counting))

  return {
    async open(given) {
      const entry = bounded(given)
      const opened = openRecord(entry)
      await enter(entry, opened)
      return {
        settle(outcome) {
          if (outcome.estimateFrom) countThenWrite(entry, opened, outcome)
          else write(entry, opened, outcome)
        },
      }
    },
    async start() {
      book = new Book({ ...deps, metrics })
      await book.start()
    },
    async stop() {
      await allCounted()
      // Whoever still waits is told roughly.
      await deps.estimator.stop()
      await Promise.all(counting)
      await book?.stop()
    },
    async caughtUp() {
      if (counting.size > 0) await allCounted()
      await book?.caughtUp()
    },
  }
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
    'The request was not served, because it could not be entered in the usage journal. Try again later; the ' +
      'operator should look at the disk under DATA_DIR and at the connection to the database.',
    { cause, internal: messageOf(cause), headers: { 'retry-after': '5' } },
  )
}
