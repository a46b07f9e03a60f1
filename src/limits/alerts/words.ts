import { decimal, writeDecimal } from '#kernel/decimal'

/** Dollars for people, rounded to cents, or to two digits where it is less than a cent. */
export function dollars(amount: string): string {
  const value = Number(amount)
  if (value !== 0 && Math.abs(value) < 0.01) return `$${Number(value.toPrecision(2))}`
  return `$${value.toFixed(2).replace(/\.00$/, '')}`
}

/** Without zeros at the end, so that 10 and 10.00 are the same thing. */
export const plainAmount = (amount: string): string => {
  const text = writeDecimal(decimal(amount))
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** A part of a text from elsewhere, for a title. */
export const short = (text: string, maximum = 120): string =>
  text.length <= maximum ? text : `${text.slice(0, maximum - 1)}…`
