import { timeZone } from './moment.ts'

/** The time as a field of type `datetime-local` holds it: in the time zone of the page. */
export function inputTime(time: string | null | undefined): string {
  if (time === null || time === undefined) return ''
  return wallClock(Date.parse(time))
}

/** The point in time that such a field means. Undefined for a field that is empty. */
export function isoTime(text: string): string | undefined {
  const wall = Date.parse(`${text}Z`)
  if (Number.isNaN(wall)) return undefined
  // Asked twice: the first guess may lie on the other side of a clock change.
  return new Date(wall - offsetAt(wall - offsetAt(wall))).toISOString()
}

/** The last second of a day that a date field means. Undefined for a field that is empty. */
export const endOfDay = (date: string): string | undefined => isoTime(`${date}T23:59:59`)

/** How far the clocks of the page's time zone are ahead of UTC at that time, in milliseconds. */
export function offsetAt(time: number): number {
  const minute = Math.floor(time / 60_000) * 60_000
  return Date.parse(`${wallClock(minute)}Z`) - minute
}

/** `2026-11-16T14:02`: Swedish writes dates as ISO does. */
function wallClock(time: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: timeZone(),
  })
  return format.format(time).replace(' ', 'T')
}
