import type { Meter, OpenEntry, Outcome } from '#gateway'
import { Fault, faults, messageOf } from '#kernel/errors'
import { createSlowLog, type RequestTimes, type SlowLog } from '#kernel/http'
import type { Estimator } from '../cost/estimate.ts'
import { storableText } from '../cost/storable.ts'
import type { UsageDeps } from '../deps.ts'
import { createLedgerMetrics } from './metrics.ts'
import { LedgerPipeline, type PipelineDeps } from './pipeline.ts'
import { failedRecord, openRecord, settleRecord, type Counted, type Settled } from './records.ts'
import { RequestEvents } from './request-events.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { waitAtMost } from './wait-at-most.ts'

export interface Ledger extends Meter {
  start(): Promise<void>
  /** Copies for a few seconds at most; the remaining rows wait on the disk for the next start. */
  stop(): Promise<void>
  /** False while requests cannot be written to the journal. */
  isWritable(): boolean
  /**
   * Waits until every request that this process has settled is in the database and its events are emitted, for a few
   * seconds at most.
   */
  caughtUp(): Promise<void>
}

export interface LedgerDeps extends Omit<PipelineDeps, 'metrics'>, Pick<UsageDeps, 'events' | 'metrics'> {
  /** Stopped together with the ledger. */
  estimator: Estimator
}

const countLimitMs = 2_000

/**
 * Writes every request to the journal before it is served and again when it ends; the journal is then copied to the
 * database. No request waits for the database.
 */
export function createLedger(deps: LedgerDeps): Ledger {
  const { config, log } = deps
  const requestEvents = new RequestEvents({
    events: deps.events,
    prices: deps.prices,
    apiCallsPerSecond: config.API_CALL_EVENTS_PER_SECOND,
  })
  const requests = createRequestMetrics(deps.metrics.registry)
  const slow = createSlowLog(log, config.SLOW_REQUEST_MS)
  let running = 0
  const counting = new Set<Promise<void>>()
  let pipeline: LedgerPipeline | undefined
  const state = {
    running: () => running,
    waitingBytes: () => pipeline?.waitingBytes ?? 0,
    oldestWaitingMs: () => pipeline?.oldestWaitingMs ?? 0,
  }
  const metrics = createLedgerMetrics(deps.metrics, state, requests.stored)

  async function writeOpen(entry: OpenEntry, record: string): Promise<void> {
    try {
      if (!pipeline) throw new Error('the ledger is not started')
      await pipeline.open(entry.requestId.slice(4), record)
    } catch (error) {
      if (config.JOURNAL_FULL === 'refuse') throw notWritten(error)
      metrics.unmetered()
    }
  }

  function writeSettled(entry: OpenEntry, opened: string, outcome: Outcome, counted?: Counted): void {
    const record: Settled = { entry, outcome, counted }
    const json = (): string => settleRecord(opened, outcome, counted)
    pipeline?.settle({ id: entry.requestId.slice(4), json, record })
    requestEvents.add(record)
    requests.ended(record)
    if (slow && outcome.times) noteSlow(slow, record, outcome.times)
  }

  /** The request stays open in the journal while its tokens are counted. */
  function countAndWrite(entry: OpenEntry, opened: string, outcome: Outcome): void {
    const work = deps.estimator
      .count(outcome.estimateFrom ?? { prompt: '', delivered: '' })
      .catch((error: unknown) => {
        log.error({ error, requestId: entry.requestId }, 'the tokens of a request could not be counted')
        return undefined
      })
      // The texts may be megabytes, and the row waits in memory for the database.
      .then((counted) => writeSettled(entry, opened, { ...outcome, estimateFrom: null }, counted))
      .finally(() => counting.delete(work))
    counting.add(work)
  }

  const isWritable = (): boolean => pipeline?.isWritable ?? false
  const allCounted = (): Promise<void> => waitAtMost(countLimitMs, Promise.all(counting))

  return {
    async open(given) {
      const entry = bounded(given)
      const opened = openRecord(entry)
      await writeOpen(entry, opened)
      running++
      return {
        failed(attempts) {
          pipeline?.reopen(entry.requestId.slice(4), failedRecord(opened, attempts))
        },
        settle(outcome) {
          running--
          if (outcome.estimateFrom) countAndWrite(entry, opened, outcome)
          else writeSettled(entry, opened, outcome)
        },
      }
    },
    async start() {
      pipeline = new LedgerPipeline({ ...deps, metrics })
      await pipeline.start()
    },
    async stop() {
      await allCounted()
      // The rest is estimated roughly.
      await deps.estimator.stop()
      await Promise.all(counting)
      await requestEvents.flush()
      await pipeline?.stop()
    },
    isWritable,
    accepts: () => config.JOURNAL_FULL === 'serve' || isWritable(),
    async caughtUp() {
      if (counting.size > 0) await allCounted()
      await requestEvents.flush()
      await pipeline?.caughtUp()
    },
  }
}

function noteSlow(slow: SlowLog, { entry, outcome }: Settled, times: Readonly<RequestTimes>): void {
  const upstream = outcome.upstreamMs ?? 0
  const ms = outcome.endedAt.getTime() - entry.startedAt.getTime()
  if (!slow.isSlow(ms, upstream + times.body)) return
  const { requestId, endpoint: route } = entry
  slow.write({ requestId, route, status: outcome.statusCode, ms, times: { ...times, upstream } })
}

/** Clients choose these names, so their length is limited. */
function bounded(entry: OpenEntry): OpenEntry {
  const { model, userLabel } = entry
  if (model.length <= 300 && (userLabel?.length ?? 0) <= 256) return entry
  return { ...entry, model: storableText(model, 300), userLabel: userLabel && storableText(userLabel, 256) }
}

function notWritten(cause: unknown): Fault {
  return new Fault(
    faults.unavailable,
    'The request was not served because it could not be written to the usage journal. Try again later. Operators: ' +
      'check the disk under DATA_DIR and the connection to the database.',
    { cause, internal: messageOf(cause), headers: { 'retry-after': '5' } },
  )
}
