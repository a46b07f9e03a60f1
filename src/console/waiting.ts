import type { NewEvent } from './event.ts'

/** An event of a producer inside; without a group it goes to the first one. */
export type OfferedEvent = Omit<NewEvent, 'groupId'> & { groupId: string | null }

/** Events of one group that somebody waits for. */
export interface Call {
  events: readonly NewEvent[]
  words: readonly Buffer[]
  resolve(ids: string[]): void
  reject(error: unknown): void
}

interface Lane {
  calls: Call[]
  offered: OfferedEvent[]
  isBusy: boolean
}

/** What is stored together. */
export interface Batch {
  lanes: ReadonlyMap<string | null, Lane>
  calls: Call[]
  offered: OfferedEvent[]
}

/** A large batch has fewer sums to update per event, and one commit. */
const maxBatch = 5_000
/** Groups with few events share a batch up to this size: one commit for all of them. A busy group has its own. */
const sharedBatch = 1_000
const maxLanes = 100

const isEmpty = ({ calls, offered }: Lane): boolean => calls.length + offered.length === 0

/** What waits to be stored, by group. The events of a group are in one batch at a time, so that they keep their order. */
export class Waiting {
  /** Who has waited longest comes first. */
  readonly #lanes = new Map<string | null, Lane>()
  /** Events of calls that wait. */
  called = 0
  /** Events of producers inside, also those that are being stored. */
  offered = 0

  addCall(groupId: string, call: Call): void {
    this.called += call.events.length
    this.#lane(groupId).calls.push(call)
  }

  addOffered(event: OfferedEvent): void {
    this.offered++
    this.#lane(event.groupId).offered.push(event)
  }

  #lane(groupId: string | null): Lane {
    const lane = this.#lanes.get(groupId) ?? { calls: [], offered: [], isBusy: false }
    this.#lanes.set(groupId, lane)
    return lane
  }

  /** The next batch, of groups none of whose events is being stored; `needsCall`: only with calls that wait. */
  take(needsCall: boolean): Batch | undefined {
    const lanes = new Map<string | null, Lane>()
    const batch: Batch = { lanes, calls: [], offered: [] }
    let size = 0
    for (const [groupId, lane] of this.#lanes) {
      if (lane.isBusy || (needsCall && lane.calls.length === 0)) continue
      if (lanes.size > 0 && size + sizeOf(lane) > sharedBatch) continue
      const calls = takeCalls(lane)
      const called = countOf(calls)
      const offered = lane.offered.splice(0, Math.max(0, maxBatch - called))
      lane.isBusy = true
      lanes.set(groupId, lane)
      this.called -= called
      size += called + offered.length
      batch.calls.push(...calls)
      batch.offered.push(...offered)
      if (size >= sharedBatch || lanes.size === maxLanes) break
    }
    return lanes.size > 0 ? batch : undefined
  }

  /** The batch was stored, or cannot be; `keepsOffered`: those of its producers inside wait again, before all others. */
  done({ lanes, offered }: Batch, keepsOffered: boolean): void {
    if (keepsOffered)
      for (const [groupId, events] of Map.groupBy(offered, (event) => event.groupId))
        this.#lane(groupId).offered.unshift(...events)
    else this.offered -= offered.length
    for (const [groupId, lane] of lanes) {
      lane.isBusy = false
      this.#lanes.delete(groupId)
      if (!isEmpty(lane)) this.#lanes.set(groupId, lane)
    }
  }
}

const countOf = (calls: readonly Call[]): number => calls.reduce((sum, { events }) => sum + events.length, 0)
const sizeOf = ({ calls, offered }: Lane): number => countOf(calls) + offered.length

function takeCalls({ calls }: Lane): Call[] {
  let count = 0
  const at = calls.findIndex(({ events }) => (count += events.length) > maxBatch)
  // One call alone may be larger than a batch.
  return calls.splice(0, at < 0 ? calls.length : Math.max(1, at))
}
