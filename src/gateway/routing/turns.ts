import type { ChosenKey } from '#vault'
import { backoffMs, isLasting, type Failure } from './failure.ts'
import type { PlannedTarget } from './plan.ts'
import type { Bound } from './portability.ts'

/** One target with one key: what a call needs. */
export interface Turn {
  readonly target: PlannedTarget
  readonly key: ChosenKey
}

/** A target, and its keys in the order in which they are tried. */
export interface Stop {
  readonly target: PlannedTarget
  readonly keys: readonly ChosenKey[]
}

interface Tried {
  readonly turn: Turn
  /** When it may be tried again; Infinity for a key that was refused, and for a model that is gone. */
  notBefore: number
}

/** Who waits longer than this had better get the error. */
const longestWaitMs = 15_000

/**
 * Which target and key has the next call of a request. Every target gets its turn before any gets another, but for one
 * quick repetition of a call that only met a bad moment, and for other keys, where calls are left over for them.
 */
export class Turns {
  readonly #tried: Tried[] = []
  #stops: readonly Stop[]
  #left: number
  #hasRepeated = false
  #unreachable: Turn | undefined
  #round = 0

  constructor(stops: readonly Stop[], attempts: number) {
    this.#stops = stops
    this.#left = attempts
  }

  /** The first one, or the next after a target that cannot take the request. */
  next(): Turn | undefined {
    const [stop] = this.#untried()
    const [key] = stop?.keys ?? []
    return stop && key && this.#left > 0 ? { target: stop.target, key } : undefined
  }

  /** A call was made. */
  spend(): void {
    this.#left--
  }

  get callsLeft(): number {
    return this.#left
  }

  /** The target cannot take the request at all, or may not. */
  close({ target }: Turn): void {
    this.#stops = this.#stops.filter((stop) => stop.target !== target)
  }

  /** One that the request could not be carried to. */
  get unreachable(): Turn | undefined {
    return this.#unreachable
  }

  /** Leaves out what a request cannot be carried to. */
  bind(bound: Bound, { target, key }: Turn): void {
    if (bound === 'anywhere') return
    const all = this.#stops.flatMap((stop) => stop.keys.map((each) => ({ target: stop.target, key: each })))
    const fits = (turn: Turn): boolean =>
      turn.target.route.provider.id === target.route.provider.id &&
      (bound === 'provider' || turn.key.id === key.id)
    this.#stops = this.#stops
      .map((stop) => ({
        ...stop,
        keys: stop.keys.filter((each) => fits({ target: stop.target, key: each })),
      }))
      .filter(({ keys }) => keys.length > 0)
    this.#unreachable ??= all.find((turn) => !fits(turn))
  }

  /** What comes after a failed call, and how long to wait before it; undefined when nothing is left. */
  after(turn: Turn, failure: Failure, now = performance.now()): { turn: Turn; waitMs: number } | undefined {
    this.#note(turn, failure, now)
    if (this.#left <= 0) return undefined
    const spare = this.#left - this.#untried().length
    if (failure.hope === 'moment' && spare > 0 && !this.#hasRepeated) {
      this.#hasRepeated = true
      return { turn, waitMs: backoffMs(0) }
    }
    const other = failure.hope === 'key' && spare > 0 ? this.#otherKey(turn.target) : undefined
    const next = other ?? this.next() ?? this.#anyOtherKey()
    return next ? { turn: next, waitMs: 0 } : this.#again(now)
  }

  #note(turn: Turn, failure: Failure, now: number): void {
    const notBefore = isLasting(failure) ? Infinity : now + (failure.retryAfterMs ?? 0)
    const known = this.#tried.find((tried) => isSame(tried.turn, turn))
    if (known) known.notBefore = notBefore
    else this.#tried.push({ turn, notBefore })
  }

  #untried(): readonly Stop[] {
    return this.#stops.filter(({ target }) => !this.#tried.some(({ turn }) => turn.target === target))
  }

  #otherKey(target: PlannedTarget): Turn | undefined {
    const stop = this.#stops.find((each) => each.target === target)
    const key = stop?.keys.find(
      (each) => !this.#tried.some(({ turn }) => isSame(turn, { target, key: each })),
    )
    return key && { target, key }
  }

  #anyOtherKey(): Turn | undefined {
    for (const { target } of this.#stops) {
      const found = this.#otherKey(target)
      if (found) return found
    }
    return undefined
  }

  /** All had their turn: the one that may be asked soonest has another. */
  #again(now: number): { turn: Turn; waitMs: number } | undefined {
    const open = this.#tried.filter(({ turn }) => this.#stops.some(({ target }) => target === turn.target))
    const soonest = open.toSorted((one, other) => one.notBefore - other.notBefore)[0]
    if (!soonest) return undefined
    const waitMs = Math.max(soonest.notBefore - now, 0) + backoffMs(this.#round++)
    return waitMs > longestWaitMs ? undefined : { turn: soonest.turn, waitMs }
  }
}

const isSame = (one: Turn, other: Turn): boolean => one.target === other.target && one.key.id === other.key.id
