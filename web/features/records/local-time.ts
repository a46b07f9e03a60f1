const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** The time as a field of type `datetime-local` holds it: in the reader's time zone. */
export function inputTime(time: string | null): string {
  if (time === null) return ''
  const at = new Date(time)
  const date = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
  return `${date}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

/** Undefined for a field that is empty. */
export function isoTime(text: string): string | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
