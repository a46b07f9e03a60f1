import { isDatabaseBusy, isDatabaseDown } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import { grant } from './grant.ts'
import type { LeaseRequest, LeaseResult, LeaseState, Report } from './lease-store.ts'
import { LimitDeleted, type KnownLimit } from './limit.ts'
import type { Units } from './units.ts'
import { createWaiter, type Verdict, type Waiter } from './waiter.ts'
import { stepOf } from './window-store.ts'
import type { Span } from './windows.ts'

export interface AccountDeps {
  holder: string
  /**
   * Makes this process known before it holds anything; makes the row of the window where there is none, which takes
   * as long as the use of the window is counted.
   */
  exchange(limit: KnownLimit, span: Span, request: LeaseRequest, onCount: () => void): Promise<LeaseResult>
  onReached(limit: KnownLimit, span: Span, used: Units): void
  onOutage(reason: string): void
}

const retryMs = 100
/** How long what was said stays true without asking again: that a limit is spent, or that the database is unavailable. */
const rememberMs = 1_000
const idleMs = 3_000
const frugalMs = 5_000

/** Of this process, so that no two reports of it have the same number. */
let reports = 0

/**
 * What this process holds of one limit in one window: a share that it got from the database, from which requests take
 * without asking anybody. `granted` is the share, `reserved` what running requests have taken, `spent` what ended
 * requests have used and the database does not know yet.
 */
export class Account {
  limit: KnownLimit
  readonly span: Span
  reserved = 0n
  /** By all processes, as the database said last. */
  used = 0n
  #deps: AccountDeps
  #startsAt: number
  #endsAt: number
  #granted = 0n
  #spent = 0n
  #spentAt = new Map<number, Units>()
  #report: Report | undefined
  #toldReserved = 0n
  #hasLease = false
  #waiters: Waiter[] = []
  #running: Promise<void> | undefined
  #isShrinking = false
  /** An exchange is open that gives back what is free: nothing may be taken of it. */
  #isGivingBack = false
  #isCounting = false
  #wantsShrink = false
  #asksOthers = false
  #ahead = 0n
  #typical = 1n
  /** Times of this process are by performance.now(): the clock of the machine may be set. */
  #touchedAt = performance.now()
  #frugalUntil = 0
  #knownUntil = 0
  #isOut = false
  #isDeleted = false
  #willRetry = false

  constructor(limit: KnownLimit, span: Span, deps: AccountDeps) {
    this.limit = limit
    this.span = span
    this.#startsAt = span.startsAt.getTime()
    this.#endsAt = span.endsAt?.getTime() ?? Infinity
    this.#deps = deps
  }

  /** Used and reserved, as far as this process knows. */
  get taken(): Units {
    return this.used + this.#spent + this.reserved
  }

  get usedByAll(): Units {
    return this.used + this.#spent
  }

  get #free(): Units {
    return this.#granted - this.#spent - this.reserved
  }

  /** A request that went alone may have needed a share larger than the limit: what it leaves of it is nobody's. */
  #fits(need: Units): boolean {
    return this.#free >= need && this.taken + need <= this.limit.amount
  }

  /** Whether a moment is in its window, in milliseconds. */
  covers(at: number): boolean {
    return at >= this.#startsAt && at < this.#endsAt
  }

  /** Somebody is about to take from it. */
  touch(): this {
    this.#touchedAt = performance.now()
    return this
  }

  /** Takes from the share. False: the request has to ask. */
  take(need: Units): boolean {
    if (need === 0n) return true
    this.#touchedAt = performance.now()
    if (this.limit.action !== 'warn') {
      if (this.#isGivingBack || this.#waiters.length > 0 || !this.#fits(need)) return false
      this.#typical = need
      if (this.#free - need < this.#ahead / 2n && !this.#running) this.sync()
    }
    this.reserved += need
    return true
  }

  /** Waits less than a second for others to give back what they do not need, and for the database two at most. */
  want(need: Units): Verdict | Promise<Verdict> {
    const now = performance.now()
    // One that waits for the database is enough.
    if (this.#isOut && (this.#running || now < this.#knownUntil)) return 'outage'
    if (now < this.#knownUntil && this.usedByAll >= this.limit.amount) return 'spent'
    this.#typical = need
    const waiter = createWaiter(need, (late) => this.#giveUp(late))
    this.#waiters.push(waiter)
    this.sync()
    return waiter.verdict
  }

  /** An exchange is open for too long; what the database said before it counts. One that counts does answer. */
  #giveUp(waiter: Waiter): void {
    if (this.#isCounting) return
    this.#waiters = this.#waiters.filter((each) => each !== waiter)
    if (waiter.isNew) this.#noteOutage('the database did not answer in time')
    waiter.done(waiter.isNew ? 'outage' : 'busy')
  }

  /** A request without a place is let through: it counts as running all the same. */
  force(need: Units): void {
    this.reserved += need
  }

  giveBack(units: Units): void {
    this.reserved -= units
    if (this.#waiters.length > 0 && !this.#running) this.#serve()
  }

  /** A request of this process used so much. */
  charge(units: Units, endedAt: number): void {
    if (units === 0n) return
    const step = stepOf(endedAt)
    this.#spent += units
    this.#spentAt.set(step, (this.#spentAt.get(step) ?? 0n) + units)
    this.#touchedAt = performance.now()
  }

  /** Others want what this process does not need. */
  shrink(): void {
    this.#frugalUntil = performance.now() + frugalMs
    if (this.#free <= 0n || this.#waiters.length > 0) return
    this.#wantsShrink = true
    this.sync()
  }

  /** The limit was changed: what was known of it may be wrong. */
  forget(): void {
    this.#knownUntil = 0
  }

  /** Reports and asks the database, once more if it is just doing so. */
  sync(): void {
    this.#running ??= this.#exchange(false).finally(() => {
      this.#running = undefined
      this.#serve()
      if (this.#wantsShrink) this.sync()
    })
  }

  /** Reports what the database does not know yet. */
  async flush(): Promise<void> {
    await this.#running
    if (this.#spent === 0n && this.reserved === this.#toldReserved) return
    this.sync()
    await this.#running
  }

  /** True when there is nothing left to keep. */
  async tick(now: number): Promise<boolean> {
    if (this.#running) return false
    const isOver = this.span.endsAt !== null && this.span.endsAt.getTime() <= now
    const isIdle = performance.now() - this.#touchedAt > idleMs
    if ((isOver || isIdle) && this.#waiters.length === 0) {
      if (this.reserved === 0n) return this.close()
      if (this.#free > 0n) this.shrink()
    }
    if (this.#spent > 0n || this.reserved !== this.#toldReserved) this.sync()
    return false
  }

  /** Reports the rest and gives everything back. False: the database did not answer, or somebody came in between. */
  async close(): Promise<boolean> {
    await this.#running
    if (this.#hasLease || this.#spent > 0n) {
      this.#running = this.#exchange(this.reserved === 0n).finally(() => (this.#running = undefined))
      await this.#running
      if (this.#waiters.length > 0) this.sync()
    }
    return !this.#hasLease && this.reserved === 0n && this.#spent === 0n && this.#waiters.length === 0
  }

  async #exchange(isLast: boolean): Promise<void> {
    this.#isShrinking = isLast || this.#wantsShrink || this.limit.action === 'warn'
    this.#wantsShrink = false
    // What is too little for those who wait here may be what somebody elsewhere lacks.
    this.#isGivingBack = this.#isShrinking || this.#waiters.length > 0
    if (!this.#report) {
      this.#report = { number: ++reports, spent: [...this.#spentAt] }
      this.#spentAt = new Map()
    }
    const report = this.#report
    const sent = report.spent.reduce((sum, [, units]) => sum + units, 0n)
    const { reserved } = this
    // What is not in this report is still in the share.
    const held = reserved + this.#spent - sent
    const kept = this.#isGivingBack ? 0n : atLeastZero(this.#granted - sent)
    try {
      const request = {
        ...{ limitId: this.limit.id, startsAt: this.span.startsAt, holder: this.#deps.holder },
        ...{ report, reserved, isLast, hadLease: this.#hasLease, amount: this.limit.amount },
        asksOthers: this.#asksOthers,
        decide: (state: LeaseState) => this.#decide(state, held, kept),
      }
      const onCount = (): void => void (this.#isCounting = true)
      const result = await this.#deps.exchange(this.limit, this.span, request, onCount)
      this.#report = undefined
      this.#spent -= sent
      this.#toldReserved = reserved
      this.#granted = result.granted
      this.#hasLease = !isLast
      this.used = result.used
      this.#asksOthers = result.leased > 0n
      this.#isOut = false
      this.#knownUntil = performance.now() + rememberMs
      if (result.hasReached) this.#deps.onReached(this.limit, this.span, result.used)
    } catch (error) {
      this.#isDeleted = error instanceof LimitDeleted
      if (this.#isDeleted) return
      // It may have been given back, and the answer got lost.
      if (this.#isGivingBack && this.#granted > held) this.#granted = held
      this.#noteOutage(isDatabaseDown(error) || isDatabaseBusy(error) ? messageOf(error) : String(error))
    } finally {
      this.#isShrinking = false
      this.#isGivingBack = false
      this.#isCounting = false
    }
  }

  #noteOutage(reason: string): void {
    this.#isOut = true
    this.#knownUntil = performance.now() + rememberMs
    this.#deps.onOutage(reason)
  }

  #decide({ used, leased }: LeaseState, reserved: Units, kept: Units): Units {
    if (this.limit.action === 'warn') return 0n
    for (const waiter of this.#waiters) waiter.isNew = false
    return grant({
      ...{ used, leased, reserved, kept },
      amount: this.limit.amount,
      waiting: this.#waiters.map(({ need }) => need),
      typical: this.#typical,
      isFrugal: performance.now() < this.#frugalUntil || this.#isShrinking,
    })
  }

  /** Lets those go on for whom there is room now, and answers those who have waited long enough. */
  #serve(): void {
    const now = performance.now()
    const isSpent = !this.#isOut && this.usedByAll >= this.limit.amount
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) {
      const isAlone = this.reserved === 0n && !isSpent && this.#free >= waiter.need
      // A limit that was deleted keeps nobody waiting.
      if (isAlone || this.#isDeleted || this.#fits(waiter.need)) {
        this.reserved += waiter.need
        waiter.done('taken')
      } else if (this.#isOut) waiter.done('outage')
      else if (isSpent) waiter.done('spent')
      else if (waiter.until <= now) waiter.done('busy')
      else this.#waiters.push(waiter)
    }
    this.#ahead = atLeastZero(this.#free)
    if (this.#waiters.some(({ isNew }) => isNew)) this.sync()
    else if (this.#waiters.length > 0 && !this.#willRetry) {
      this.#willRetry = true
      setTimeout(() => {
        this.#willRetry = false
        this.sync()
      }, retryMs)
    }
  }
}

const atLeastZero = (units: Units): Units => (units > 0n ? units : 0n)
