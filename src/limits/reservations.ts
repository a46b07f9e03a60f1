import type { LimitedCall, Limits, Reservation } from '#gateway'
import type { Fault } from '#kernel/errors'
import type { EventRecord } from '#kernel/events'
import { requestTime } from '#kernel/uuid'
import type { Account } from './account.ts'
import type { Accounts } from './accounts.ts'
import type { LimitsDeps, UsageForLimits } from './deps.ts'
import { estimate, expectedInput, needOf } from './estimate.ts'
import type { GroupLimits } from './group-limits.ts'
import type { Metric } from './limit-shapes.ts'
import type { KnownLimit } from './limit.ts'
import type { RefusalReason, Refused } from './limit-metrics.ts'
import { rateHeaders } from './rate-headers.ts'
import { exceeded, notCounted, unpriced, warning, warningHeader } from './refusal.ts'
import { dollarUnits, type Units } from './units.ts'
import { UsualUse } from './usual-use.ts'

interface Part {
  account: Account
  need: Units
}

/** What one request has reserved. */
interface Held {
  /** When it began, in milliseconds. */
  at: number
  /** The tokens of its prompt, by its size. */
  input: number
  parts: Part[]
  endedAt: number | undefined
}

export interface ReservationDeps {
  groups: ReadonlyMap<string, GroupLimits>
  accounts: Accounts
  tokenPrice: UsageForLimits['tokenPrice']
  maxOutput: LimitsDeps['maxOutput']
  refused: Refused
}

/** A request that ended and was not settled by then never will be. */
const forgottenMs = 60_000

/** Reserves before a call and settles when its cost is known. Every request is charged by its row in the usage log. */
export class Reservations implements Limits {
  #deps: ReservationDeps
  #held = new Map<string, Held>()
  #usual = new UsualUse()

  constructor(deps: ReservationDeps) {
    this.#deps = deps
  }

  concerns(groupId: string): boolean {
    return this.#deps.groups.has(groupId)
  }

  reserve(call: LimitedCall): Reservation | undefined | Promise<Reservation | undefined> {
    const group = this.#deps.groups.get(call.groupId)
    if (!group) return undefined
    const limits = group.of(call)
    if (limits.length === 0) return undefined
    this.#release(call.requestId)
    const at = call.startedAt.getTime()
    const held: Held = { at, input: expectedInput(call), parts: [], endedAt: undefined }
    const wanted = this.#wanted(limits, call, at)
    for (const part of wanted) {
      if (!part.account.take(part.need))
        return this.#wait(call.requestId, held, wanted.slice(held.parts.length), wanted)
      held.parts.push(part)
    }
    return this.#hold(call.requestId, held, wanted)
  }

  /** What the call takes of each limit. Throws where its cost is not known and the limit does not allow that. */
  #wanted(limits: readonly KnownLimit[], call: LimitedCall, at: number): Part[] {
    const { accounts, tokenPrice, maxOutput } = this.#deps
    const { groupId, provider, model } = call
    const price = tokenPrice(groupId, provider, model)
    const expected = estimate(call, price, this.#usual, () => maxOutput(groupId, provider, model))
    return limits.map((limit) => {
      const account = accounts.of(limit, at)
      const need = needOf(limit.metric, expected)
      if (need === null && limit.unpriced === 'block' && limit.action === 'block')
        throw this.#refuse(limit, 'unpriced', unpriced(account, model))
      return { account, need: need ?? 0n }
    })
  }

  async #wait(id: string, held: Held, rest: readonly Part[], all: readonly Part[]): Promise<Reservation> {
    try {
      for (const part of rest) {
        await this.#takeOrWait(part)
        held.parts.push(part)
      }
    } catch (error) {
      giveBack(held.parts)
      throw error
    }
    return this.#hold(id, held, all)
  }

  async #takeOrWait({ account, need }: Part): Promise<void> {
    if (account.take(need)) return
    const { limit } = account
    const verdict = await account.want(need)
    if (verdict === 'taken') return
    if (verdict !== 'outage') {
      const isBusy = verdict === 'busy'
      throw this.#refuse(limit, isBusy ? 'reserved' : 'spent', exceeded(account, isBusy))
    }
    if (limit.onOutage === 'refuse') throw this.#refuse(limit, 'outage', notCounted(account))
    account.force(need)
  }

  #refuse({ metric }: KnownLimit, reason: RefusalReason, fault: Fault): Fault {
    this.#deps.refused(metric, reason)
    return fault
  }

  #hold(id: string, held: Held, all: readonly Part[]): Reservation {
    this.#held.set(id, held)
    return {
      headers: headersOf(all.map(({ account }) => account)),
      release: () => this.#release(id),
      end: () => {
        held.endedAt = Date.now()
        const running = held.parts.filter(({ account }) => account.limit.metric === 'concurrent')
        held.parts = held.parts.filter((part) => !running.includes(part))
        giveBack(running)
      },
    }
  }

  #release(id: string): void {
    const held = this.#held.get(id)
    if (!held) return
    this.#held.delete(id)
    giveBack(held.parts)
    held.parts = []
  }

  /** What a request used is taken from the limits that concern it, whether or not it had reserved anything. */
  settle(event: EventRecord<'request.settled'>): void {
    const held = this.#held.get(event.requestId)
    const group = this.#deps.groups.get(event.groupId)
    const { completionTokens, promptTokens, statusCode, usageSource } = event
    if (group) {
      // Counting tokens, or a response that was cut off, says nothing about what a model writes.
      if (usageSource !== 'none' && completionTokens > 0 && statusCode < 400) {
        this.#usual.noteOutput(event.model, completionTokens)
        if (held) this.#usual.noteInput(event.model, held.input, promptTokens)
      }
      const used: Record<Metric, Units> = {
        cost: dollarUnits(event.cost ?? '0'),
        tokens: BigInt(promptTokens + completionTokens),
        // A request without a provider key was never sent.
        requests: event.providerKeyId === null ? 0n : 1n,
        concurrent: 0n,
      }
      const at = held?.at ?? requestTime(event.requestId).getTime()
      for (const limit of group.of(event)) {
        const units = used[limit.metric]
        if (units > 0n) this.#deps.accounts.of(limit, at).charge(units, event.at.getTime())
      }
    }
    // After the charge, so that nobody takes in between what is just given back.
    this.#release(event.requestId)
  }

  /** Requests that could not be logged are never settled. */
  sweep(now: number): void {
    for (const [id, { endedAt }] of this.#held)
      if (endedAt !== undefined && now - endedAt > forgottenMs) this.#release(id)
  }
}

function giveBack(parts: readonly Part[]): void {
  for (const { account, need } of parts) account.giveBack(need)
}

function headersOf(accounts: readonly Account[]): Record<string, string> {
  const headers = rateHeaders(accounts)
  const passed = accounts.find(({ limit, taken }) => limit.action === 'warn' && taken > limit.amount)
  if (passed) headers[warningHeader] = warning(passed)
  return headers
}
