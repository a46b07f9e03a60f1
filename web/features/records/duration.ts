import { durationText } from '../../ui/quantity.ts'

/** How long something lasted, or has lasted. */
export function spanText(start: string, end: string | null, now = Date.now()): string {
  const length = durationText((end === null ? now : Date.parse(end)) - Date.parse(start))
  return end === null ? `for ${length} so far` : `for ${length}`
}
