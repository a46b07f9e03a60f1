import { durationText } from '../../ui/quantity.ts'

/** `4 min 10 s`, `42 min`, `3 h 5 min`, `2 days 4 h`. */
export function longDuration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 10) return durationText(milliseconds)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? `${days} days` : `${days} days ${hours % 24} h`
}

/** How long something lasted, or lasts. */
export function spanText(start: string, end: string | null, now = Date.now()): string {
  const length = (end === null ? now : Date.parse(end)) - Date.parse(start)
  return end === null ? `for ${longDuration(length)} so far` : `for ${longDuration(length)}`
}
