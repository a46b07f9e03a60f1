const minute = 60_000

/** `1 h 58 min`, `3 d 4 h`, `less than a minute`. */
export function remainingText(until: string, now: number): string {
  const minutes = Math.floor((new Date(until).getTime() - now) / minute)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return withRest(`${hours} h`, minutes % 60, 'min')
  return withRest(`${Math.floor(hours / 24)} d`, hours % 24, 'h')
}

const withRest = (text: string, rest: number, unit: string): string =>
  rest === 0 ? text : `${text} ${rest} ${unit}`
