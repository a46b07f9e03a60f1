import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { isDatabaseBusy, isDatabaseDown } from '#kernel/db'
import type { Log } from '#kernel/log'
import { Account, type AccountDeps } from './account.ts'
import { beat, deadLeases, reclaim, removeDead, removeHolder } from './holder-store.ts'
import { exchangeLease } from './lease-store.ts'
import type { UsageForLimits } from './deps.ts'
import type { Ledger } from './ledger.ts'
import { LimitDeleted, type KnownLimit } from './limit.ts'
import {
  deleteOld,
  insertWindow,
  keptMs,
  recountInMs,
  replaceSteps,
  stepMs,
  stepOf,
  takeRecount,
} from './window-store.ts'
import { windowAt, type Span } from './windows.ts'

export interface AccountsDeps {
  pool: pg.Pool
  ledger: Ledger
  /** Waits until what this process has settled is in the usage log. */
  caughtUp: UsageForLimits['caughtUp']
  log: Log
  limitOf(id: string): KnownLimit | undefined
  onReached: AccountDeps['onReached']
}

const tickMs = 1_000
const beatMs = 5_000
/** A process that had no database itself does not take others for dead: they may just have it back too. */
const steadyMs = 15_000
const cleanMs = 3_600_000
/** A window that began so recently has nothing in the log that no process knows. */
const freshMs = 2_000
/** What ended so recently may not be in the log, and is left to the reports of those who served it. */
const lateMs = 60_000

/** Everything that this process holds of limits, and its care for what ended processes have left. */
export class Accounts {
  #deps: AccountsDeps
  #holder = randomUUID()
  #known = new Map<string, Account>()
  /** The newest window of each limit, in which nearly every request is. */
  #newest = new Map<string, Account>()
  #timer: NodeJS.Timeout | undefined
  #ticking: Promise<void> | undefined
  /** By performance.now(), as what follows: a clock that is set back must not stop the beats. */
  #beatAt = -Infinity
  #steadySince = 0
  #cleanedAt = -Infinity
  #isOut = false
  #isStopping = false

  constructor(deps: AccountsDeps) {
    this.#deps = deps
  }

  /** Windows of limits of which this process has, or had, a share. */
  get size(): number {
    return this.#known.size
  }

  /** Whether shares cannot be exchanged because the database does not answer. */
  get isOut(): boolean {
    return this.#isOut
  }

  /** `at` in milliseconds. */
  of(limit: KnownLimit, at: number): Account {
    const newest = this.#newest.get(limit.id)
    if (newest?.covers(at)) return newest.touch()
    const span = windowAt(limit.window, new Date(at), limit.timeZone)
    const account = this.#in(limit, span)
    // Another time zone may have moved the end of a window that began already.
    const isSame = account.span.endsAt?.getTime() === span.endsAt?.getTime()
    if (isSame && (!newest || account.span.startsAt > newest.span.startsAt))
      this.#newest.set(limit.id, account)
    return account
  }

  #in(limit: KnownLimit, span: Span): Account {
    const key = `${limit.id} ${span.startsAt.getTime()}`
    const known = this.#known.get(key)
    if (known) return known.touch()
    const account = new Account(limit, span, {
      holder: this.#holder,
      exchange: async (current, within, request, onCount) => {
        await this.#beat()
        const known = await exchangeLease(this.#deps.pool, request)
        if (known) return known
        onCount()
        // What was spent in an outage is counted at once then, and not only by the recount.
        if (request.report.spent.length > 0) await this.#deps.caughtUp()
        await this.ensure(current, within)
        const made = await exchangeLease(this.#deps.pool, request)
        // Another process deleted it, and the message has not arrived.
        if (!made) throw new LimitDeleted()
        return made
      },
      onReached: this.#deps.onReached,
      onOutage: (reason) => this.#noteOutage(reason),
    })
    this.#known.set(key, account)
    return account
  }

  /** The row of a window that is not new begins with what the usage log has. */
  async ensure(limit: KnownLimit, span: Span): Promise<void> {
    const { pool, ledger } = this.#deps
    const key = { limitId: limit.id, startsAt: span.startsAt }
    const now = Date.now()
    if (!this.#deps.limitOf(limit.id)) throw new LimitDeleted()
    const window = { ...key, endsAt: span.endsAt }
    if (limit.metric === 'concurrent' || now - span.startsAt.getTime() < freshMs)
      return insertWindow(pool, { ...window, used: 0n, steps: [], countedTo: null })
    const countedTo = new Date(stepOf(now - lateMs))
    const from = new Date(countedTo.getTime() - keptMs)
    const before = await ledger.usedBefore(limit, span, from)
    // Nobody reports what was used before the limit was there.
    const until = limit.createdAt > countedTo ? limit.createdAt : countedTo
    const steps = await ledger.steps(limit, span, { from, to: until })
    const used = steps.reduce((sum, { amount }) => sum + amount, before)
    const recount = { from, to: new Date(stepOf(now) + stepMs), dueInMs: recountInMs }
    return insertWindow(pool, { ...window, used, steps, countedTo }, recount)
  }

  /** Limits were read again. Accounts of those that are gone have nothing to report to. */
  renew(limitOf: (id: string) => KnownLimit | undefined): void {
    // Its windows may be others now.
    this.#newest.clear()
    for (const [key, account] of this.#known) {
      const limit = limitOf(account.limit.id)
      if (!limit) this.#known.delete(key)
      else {
        account.limit = limit
        account.forget()
      }
    }
  }

  /** Another process needs what this one may not. */
  giveBack(limitId: string): void {
    for (const account of this.#known.values()) if (account.limit.id === limitId) account.shrink()
  }

  /** Reports what is known of a group's limits, so that who reads them sees it. */
  async report(groupId: string): Promise<void> {
    const own = [...this.#known.values()].filter(({ limit }) => limit.groupId === groupId)
    await Promise.all(own.map((account) => account.flush()))
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#ticking ??= this.#tick().finally(() => (this.#ticking = undefined))
    }, tickMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#isStopping = true
    await this.#ticking
    const closed = await Promise.all([...this.#known.values()].map((account) => account.close()))
    if (Number.isFinite(this.#beatAt) && closed.every(Boolean))
      await removeHolder(this.#deps.pool, this.#holder).catch(() => undefined)
  }

  async #tick(): Promise<void> {
    const now = performance.now()
    for (const [key, account] of this.#known) {
      // Each takes seconds where the database says nothing.
      if (this.#isStopping) return
      if ((await account.tick(Date.now())) && this.#known.get(key) === account) this.#forget(key, account)
    }
    if (now - this.#beatAt < beatMs) return
    try {
      await this.#beat(true)
      await this.#takeCare(now)
      this.#isOut = false
    } catch (error) {
      this.#steadySince = 0
      if (isDatabaseDown(error) || isDatabaseBusy(error)) return
      this.#deps.log.error({ error }, 'leases of limits could not be looked after')
    }
  }

  #forget(key: string, account: Account): void {
    this.#known.delete(key)
    if (this.#newest.get(account.limit.id) === account) this.#newest.delete(account.limit.id)
  }

  async #beat(isDue = false): Promise<void> {
    const now = performance.now()
    if (!isDue && now - this.#beatAt < beatMs) return
    // The clock of this process stands still while its machine sleeps.
    const gapMs = await beat(this.#deps.pool, this.#holder)
    if (this.#steadySince === 0 || gapMs > 3 * beatMs) this.#steadySince = now
    this.#beatAt = now
  }

  /** What ended processes have left, and what has to be counted again. */
  async #takeCare(now: number): Promise<void> {
    const { pool, ledger, log, limitOf } = this.#deps
    if (now - this.#steadySince >= steadyMs || this.#steadySince === 0)
      for (const dead of await deadLeases(pool)) {
        await reclaim(pool, dead)
        log.info({ limitId: dead.limitId }, 'the share of a limit that an ended process held is free again')
      }
    for (let due = await takeRecount(pool); due; due = await takeRecount(pool)) {
      const limit = limitOf(due.limitId)
      if (!limit) continue
      const span = { startsAt: due.startsAt, endsAt: due.endsAt }
      await replaceSteps(pool, due, due, await ledger.steps(limit, span, due))
    }
    if (now - this.#cleanedAt < cleanMs) return
    this.#cleanedAt = now
    await deleteOld(pool)
    await removeDead(pool)
  }

  #noteOutage(reason: string): void {
    if (!this.#isOut) this.#deps.log.warn({ reason }, 'limits cannot be counted in the database')
    this.#isOut = true
  }
}
