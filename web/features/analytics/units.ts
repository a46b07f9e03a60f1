import { countText, durationText, percentText, uptimeText } from '../../ui/quantity.ts'

export const count = countText
export const share = percentText
export const percent = uptimeText

/** `1.4`, `12`: up to one digit after the point. */
export const rate = (value: number): string => countText(Math.round(value * 10) / 10)

/** `45 s`, `4 min 10 s`, `42 min`, `3 h 5 min`, `2.5 days`. */
export function seconds(value: number): string {
  if (value < 600) return durationText(value * 1000)
  if (value < 3570) return `${Math.round(value / 60)} min`
  if (value < 2 * 86_400) {
    const minutes = Math.round(value / 60)
    return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  }
  return `${rate(value / 86_400)} days`
}

export const hours = (value: number): string => seconds(value * 3600)
