import { randomFillSync } from 'node:crypto'

/*
 * Ids of events are time-ordered uuids (version 7). Those of one millisecond are counted, so that events of one process
 * sort in the order in which it saw them.
 */

const dayMs = 86_400_000
const maxCount = 0xfff
let last = { at: 0, count: 0 }

const randomPerId = 8
/** For many ids at once: asking for random bytes costs more than the rest of an id. */
const random = Buffer.alloc(256 * randomPerId)
let used = random.length

export function newEventId(at: number): string {
  last = at === last.at ? { at, count: Math.min(last.count + 1, maxCount) } : { at, count: 0 }
  const time = at.toString(16).padStart(12, '0')
  const rest = takeRandom()
  return `${time.slice(0, 8)}-${time.slice(8)}-7${last.count.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

function takeRandom(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  random[used] = ((random[used] ?? 0) & 0x3f) | 0x80
  return random.toString('hex', used, (used += randomPerId))
}

export function startOfDay(at: number): number {
  return Math.floor(at / dayMs) * dayMs
}

export const isEventId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)

export { dayMs }
