const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const delays = [
  second,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
]

/** What has not arrived a day after the first try is not news any more. */
const giveUpMs = 24 * hour
const maxWaitMs = 6 * hour

/** When to try again after this many tries; null: no more. */
export function nextTryAt(
  tries: number,
  firstTry: Date,
  now: Date,
  waitMs = 0,
  random = Math.random(),
): Date | null {
  const delay = delays[Math.min(tries, delays.length) - 1] ?? second
  // Those that failed together are not all tried again at the same moment.
  const at = now.getTime() + Math.max(delay, waitMs) * (1 + random / 10)
  return at - firstTry.getTime() > giveUpMs ? null : new Date(at)
}

/** `retry-after`: seconds, or a date. */
export function retryAfterMs(header: string | string[] | undefined, now = Date.now()): number {
  const text = typeof header === 'string' ? header.trim() : ''
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), maxWaitMs)
}
