import { setImmediate as nextTurn } from 'node:timers/promises'
import { add, decimal, writeDecimal } from '#kernel/decimal'
import { tagsOf } from '#gateway'
import type { Events } from '#kernel/events'
import type { PriceCatalog } from '../cost/price-catalog.ts'
import { priceOnce } from '../cost/price-request.ts'
import type { LedgerRow } from '../row.ts'
import type { Settled } from './records.ts'

export interface RequestEventsDeps {
  events: Events
  prices: Pick<PriceCatalog, 'priceFor'>
  /** The maximum number of `api_call` events per second. */
  apiCallsPerSecond: number
}

interface PendingEvents {
  settled: Settled
  /** How many requests the `api_call` event represents; 0 when the sampler did not choose this request. */
  requestCount: number
}

/** Pricing many requests in a row takes a third of the time per request. */
const gatherMs = 100
const minSliceRows = 5
/** However many requests wait, they are emitted within this many turns of the event loop, so the queue is bounded. */
const maxTurns = 200

/**
 * Emits `request.settled` and `api_call` for requests of this process, a moment after they ended and whether or not
 * the database is available. A request that nobody listens for, or that the sampler passes over, costs nothing here;
 * one that is priced here is not priced again when its row is delivered. Rows of another process's journal have no
 * events: that process may have emitted them before it ended.
 */
export class RequestEvents {
  #events: Events
  #prices: RequestEventsDeps['prices']
  #sampler: ApiCallSampler
  #queue: PendingEvents[] = []
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor({ events, prices, apiCallsPerSecond }: RequestEventsDeps) {
    this.#events = events
    this.#prices = prices
    this.#sampler = new ApiCallSampler(apiCallsPerSecond)
  }

  add(settled: Settled): void {
    const isError = settled.outcome.statusCode >= 400
    const hasEvent = !settled.entry.isQuiet && this.#events.hasListeners('api_call')
    const requestCount = hasEvent ? this.#sampler.sample(settled.entry.groupId, isError) : 0
    if (requestCount === 0 && !this.#events.hasListeners('request.settled')) return
    this.#queue.push({ settled, requestCount })
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs)
  }

  /** Emits everything that waits, in the order in which the requests ended. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running = this.#running.then(() => this.#emitQueue())
    return this.#running
  }

  async #emitQueue(): Promise<void> {
    const queue = this.#queue
    this.#queue = []
    const sliceRows = Math.max(minSliceRows, Math.ceil(queue.length / maxTurns))
    for (const [index, pending] of queue.entries()) {
      if (index % sliceRows === sliceRows - 1) await nextTurn()
      this.#emit(pending)
    }
  }

  #emit({ settled, requestCount }: PendingEvents): void {
    let row: LedgerRow
    try {
      row = priceOnce(settled, this.#prices)
    } catch {
      // Delivery fails on this row too, and reports it.
      return
    }
    const { entry, outcome } = settled
    const cost = totalCost(row)
    const summary = {
      groupId: entry.groupId,
      by: null,
      requestId: entry.requestId,
      apiKeyId: entry.apiKeyId,
      provider: row.provider,
      model: row.model,
      statusCode: row.status_code,
      durationMs: row.duration_ms,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      cost,
    }
    if (this.#events.hasListeners('request.settled'))
      this.#events.emit(
        'request.settled',
        {
          ...summary,
          userId: entry.userId ?? null,
          providerKeyId: row.provider_key_id,
          endpoint: entry.endpoint,
          isStream: entry.isStream,
          errorMessage: outcome.errorMessage,
          ttftMs: outcome.ttftMs,
          usage: outcome.usage,
          usageSource: row.usage_source,
          route: row.route,
          userLabel: row.user_label,
          tags: tagsOf(entry.metadata),
        },
        outcome.endedAt,
      )
    if (requestCount === 0) return
    this.#events.emit(
      'api_call',
      {
        ...summary,
        severity: row.status_code >= 400 ? 'error' : 'info',
        title: `${row.status_code} ${row.model || row.endpoint}`,
        message: row.error_message ?? describe(row, cost),
        requestCount,
      },
      outcome.endedAt,
    )
  }
}

function describe({ duration_ms, prompt_tokens, completion_tokens }: LedgerRow, cost: string | null): string {
  const price = cost === null ? 'no known price' : `$${cost}`
  return `${duration_ms} ms, ${prompt_tokens} tokens in, ${completion_tokens} out, ${price}`
}

function totalCost({ input_cost, output_cost }: LedgerRow): string | null {
  if (input_cost === null || output_cost === null) return null
  return writeDecimal(add(decimal(input_cost), decimal(output_cost)))
}

/**
 * Chooses which requests become events when there are more than the limit. Each event represents itself and the
 * requests of its group skipped before it. Errors come first: a tenth of the events is reserved for them.
 */
export class ApiCallSampler {
  #perSecond: number
  #now: () => number
  #second = 0
  #emitted = 0
  /** Successful requests of this second, and of how many of them one becomes an event. */
  #successes = 0
  #stride = 1
  /** By group: its people must not learn how much others ask. */
  #skipped = { successes: new Map<string, number>(), errors: new Map<string, number>() }

  constructor(perSecond: number, now: () => number = Date.now) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** How many requests the event for this one represents; 0 when it gets no event. */
  sample(groupId: string, isError: boolean): number {
    this.#startSecond()
    const skipped = isError ? this.#skipped.errors : this.#skipped.successes
    const requestCount = 1 + (skipped.get(groupId) ?? 0)
    if (isError ? this.#mayChooseError() : this.#mayChooseSuccess()) {
      this.#emitted++
      skipped.delete(groupId)
      return requestCount
    }
    skipped.set(groupId, requestCount)
    return 0
  }

  #mayChooseError(): boolean {
    return this.#emitted < this.#perSecond
  }

  #mayChooseSuccess(): boolean {
    this.#successes++
    return this.#successes % this.#stride === 0 && this.#emitted < this.#maxSuccesses
  }

  #startSecond(): void {
    const second = Math.floor(this.#now() / 1000)
    if (second === this.#second) return
    // This second is likely to bring as many requests as the last one did.
    this.#stride = Math.max(1, Math.ceil(this.#successes / Math.max(1, this.#maxSuccesses)))
    this.#second = second
    this.#emitted = 0
    this.#successes = 0
  }

  get #maxSuccesses(): number {
    return this.#perSecond - Math.floor(this.#perSecond / 10)
  }
}
