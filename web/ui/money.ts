import { add, readDecimal, subtract, writeDecimal, zero, type Decimal } from '#kernel/decimal'

/** Money comes as decimal text and is never put through a float on its way to the reader. */

/** Every digit: `$0.000405`. Text that is no amount is shown as it is. */
export function exactDollars(text: string): string {
  const value = readDecimal(text)
  return value ? inDollars(value, 2) : text
}

/** As much as a list needs: cents from a dollar up, more digits the smaller it is. */
export function shortDollars(text: string): string {
  const value = readDecimal(text)
  if (!value) return text
  if (value.digits < 0n) return `−${shortDollars(text.slice(1))}`
  const { digits, places } = value
  if (digits === 0n) return '$0.00'
  const dollar = 10n ** BigInt(places)
  const shown = digits >= dollar ? 2 : digits * 100n >= dollar ? 4 : 6
  const rounded = roundTo(value, shown)
  return rounded.digits === 0n ? '<$0.000001' : inDollars(rounded, shown)
}

export function sumOf(texts: readonly (string | null)[]): string {
  const values = texts.map((text) => readDecimal(text ?? '')).filter((value) => value !== null)
  return writeDecimal(values.reduce(add, zero))
}

/** One less the other, with its sign. */
export function difference(one: string, other: string): string {
  const [minuend, subtrahend] = [readDecimal(one), readDecimal(other)]
  return minuend && subtrahend ? writeDecimal(subtract(minuend, subtrahend)) : '0'
}

/** Thousands apart, at least so many digits after the point. Below nothing the sign stands in front. */
function inDollars({ digits, places }: Decimal, least: number): string {
  if (digits < 0n) return `−${inDollars({ digits: -digits, places }, least)}`
  const [whole = '', fraction = ''] = writeDecimal({ digits, places }).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(least, '0')}`
}

/** Half up, to so many digits after the point. */
function roundTo({ digits, places }: Decimal, wanted: number): Decimal {
  if (places <= wanted) return { digits, places }
  const unit = 10n ** BigInt(places - wanted)
  return { digits: (digits + unit / 2n) / unit, places: wanted }
}
