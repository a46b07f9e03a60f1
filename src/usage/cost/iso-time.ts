import { BoundedCache } from '#kernel/cache'

/** Cached per second: formatting a date takes longer than the rest of a row, and many requests share a second. */
const written = new BoundedCache<number, string>('iso_times', 2_000)

/** A time in milliseconds as `toISOString` writes it. */
export function isoTime(time: number): string {
  const second = Math.floor(time / 1000)
  const milliseconds = String(time - second * 1000).padStart(3, '0')
  return `${written.get(second) ?? writeSecond(second)}${milliseconds}Z`
}

/** `2026-11-15T09:59:59.` */
function writeSecond(second: number): string {
  const text = new Date(second * 1000).toISOString().slice(0, -'000Z'.length)
  written.set(second, text)
  return text
}
