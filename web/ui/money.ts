import { add, readDecimal, subtract, writeDecimal, zero, type Decimal } from '#kernel/decimal'

/** Amounts are decimal strings and are never converted to floats for display. */

/** Every digit: `$0.000405`. A string that is not an amount is returned unchanged. */
export function exactDollars(text: string): string {
  const value = readDecimal(text)
  return value ? inDollars(value, 2) : text
}

const millions = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })

/** Rounded for lists: cents from one dollar up, four digits for smaller amounts; `$1.23M` from a million up. */
export function shortDollars(text: string): string {
  const value = readDecimal(text)
  if (!value) return text
  if (value.digits < 0n) return `−${shortDollars(text.slice(1))}`
  const { digits, places } = value
  if (digits === 0n) return '$0.00'
  const dollar = 10n ** BigInt(places)
  if (digits >= 1_000_000n * dollar) return `$${millions.format(digits / dollar)}`
  const shown = digits >= dollar ? 2 : 4
  const rounded = roundTo(value, shown)
  return rounded.digits === 0n ? '<$0.0001' : inDollars(rounded, 2)
}

export function sumOf(texts: readonly (string | null)[]): string {
  const values = texts.map((text) => readDecimal(text ?? '')).filter((value) => value !== null)
  return writeDecimal(values.reduce(add, zero))
}

/** The first minus the second, with its sign. */
export function difference(one: string, other: string): string {
  const [minuend, subtrahend] = [readDecimal(one), readDecimal(other)]
  return minuend && subtrahend ? writeDecimal(subtract(minuend, subtrahend)) : '0'
}

/** With thousands separators and at least this many decimals. A minus sign stands before the dollar sign. */
function inDollars({ digits, places }: Decimal, least: number): string {
  if (digits < 0n) return `−${inDollars({ digits: -digits, places }, least)}`
  const [whole = '', fraction = ''] = writeDecimal({ digits, places }).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(least, '0')}`
}

/** Rounds half up to this many decimals. */
function roundTo({ digits, places }: Decimal, wanted: number): Decimal {
  if (places <= wanted) return { digits, places }
  const unit = 10n ** BigInt(places - wanted)
  return { digits: (digits + unit / 2n) / unit, places: wanted }
}
