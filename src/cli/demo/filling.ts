import { createRandom, type Random } from './random.ts'
import type { Call, Stream } from './demo-api.ts'

/** What each step of the filling gets. */
export interface Filling {
  /** As the owner, in the group of the demo. */
  call: Call
  stream: Stream
  /** As an API key. */
  callWith(key: string): Call
  worldUrl: string
  /** Undefined where there is no database for the shop; the stories about SQL are then left out. */
  shopUrl: string | undefined
  random: Random
  /** The time this number of days ago, at an hour and minute of UTC; never in the future. */
  ago(days: number, hour?: number, minute?: number): string
}

const dayMs = 86_400_000

export function createFilling(given: Omit<Filling, 'random' | 'ago'>): Filling {
  const now = Date.now()
  const midnight = now - (now % dayMs)
  return {
    ...given,
    random: createRandom(20_260_901),
    ago(days, hour = 0, minute = 0) {
      const at = midnight - days * dayMs + hour * 3_600_000 + minute * 60_000
      return new Date(Math.min(at, now - 60_000)).toISOString()
    },
  }
}

/** `amount` things at a time, so that filling takes seconds and the server still answers others. */
export async function eachOf<T>(
  list: readonly T[],
  amount: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = [...list]
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: amount }, work))
}
