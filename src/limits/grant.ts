import type { Units } from './units.ts'

export interface GrantInput {
  readonly amount: Units
  /** By all. */
  readonly used: Units
  /** By other processes. */
  readonly leased: Units
  /** By running requests of this process. */
  readonly reserved: Units
  /** What the process must not give back, because it may be reserving it right now. */
  readonly kept: Units
  /** What the requests need that wait here, in their order. */
  readonly waiting: readonly Units[]
  /** What a request takes, by the last one. */
  readonly typical: Units
  /** Others want it too, or nothing runs: no more than what is needed. */
  readonly isFrugal: boolean
}

/** The part of what is free that a process takes in advance. */
const share = 8n
/** Less than this many requests in advance are not worth it: near the limit each request asks. */
const leastAhead = 4n

/**
 * How much a process may hold from now on. The shares shrink as the limit comes near, down to single requests. A request
 * that needs more than is left still gets it when nobody else holds anything: so a limit is passed by one request at
 * most, and never keeps anybody from using what is left of it.
 */
export function grant(input: GrantInput): Units {
  const { amount, used, leased, reserved, kept, waiting } = input
  const room = amount - used - leased
  let held = reserved
  for (const need of waiting) if (held + need <= room) held += need
  const [first] = waiting
  const isAlone = first !== undefined && held === 0n && leased === 0n && used < amount
  if (isAlone && first > room) return first
  const ahead = input.isFrugal ? 0n : (room - held) / share
  const wanted = ahead >= leastAhead * input.typical ? held + ahead : held
  return wanted > kept ? wanted : kept
}
