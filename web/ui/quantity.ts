const counts = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

export const countText = (count: number): string => counts.format(count)

/** `1.2M`; numbers below 10,000 are not shortened. */
export const shortCount = (count: number): string =>
  count < 10_000 ? counts.format(count) : short.format(count)

export const percentText = (share: number): string => percents.format(share)

/** `99.987%`, `98.7%`, `100%`: rounded down, so that only a complete one is 100%. */
export function uptimeText(percent: number): string {
  if (percent === 100) return '100%'
  const digits = percent > 99 ? 3 : 1
  return `${(Math.floor(percent * 10 ** digits) / 10 ** digits).toFixed(digits)}%`
}

/** `412 ms`, `2.41 s`, `1 min 12 s`, `42 min`, `3 h 5 min`, `2 d 4 h`: the one format of a length of time. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 59_950) return `${Number((milliseconds / 1000).toFixed(milliseconds < 9995 ? 2 : 1))} s`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 600) return withRest(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 2880) return withRest(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(minutes / 60)
  return withRest(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

const withRest = (whole: number, unit: string, rest: number, smaller: string): string =>
  rest === 0 ? `${counts.format(whole)} ${unit}` : `${counts.format(whole)} ${unit} ${rest} ${smaller}`

/** `1 request`, `2 requests`. */
export const counted = (count: number, what: string): string =>
  `${counts.format(count)} ${what}${count === 1 ? '' : 's'}`

/** `0 kB`, `512 kB`, `16 MB`: decimal units. */
export const bytesText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${counts.format(Math.ceil(bytes / 1000))} kB`
    : `${counts.format(Math.round(bytes / 100_000) / 10)} MB`
