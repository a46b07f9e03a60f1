import { add, allDigits, negative, readDecimal, roundTo, type Decimal } from './decimal.ts'

/** Money comes as decimal text and is never put through a float on its way to the reader. */

function read(text: string): Decimal | undefined {
  const value = readDecimal(text.replace(/^-/, ''))
  return value && text.startsWith('-') ? negative(value) : value
}

/** Every digit: `$0.000405`. Text that is no amount is shown as it is. */
export function exactDollars(text: string): string {
  const value = read(text)
  return value ? allDigits(value) : text
}

const scaleOf = (places: number) => 10n ** BigInt(places)

/** As much as a list needs: cents from a dollar up, more digits the smaller it is. */
export function shortDollars(text: string): string {
  const value = read(text)
  if (!value) return text
  if (value.digits < 0n) return `−${shortDollars(text.slice(1))}`
  const { digits, scale } = value
  const places = digits >= scaleOf(scale) ? 2 : digits * 100n >= scaleOf(scale) ? 4 : 6
  const rounded = roundTo(value, places)
  return digits > 0n && rounded.digits === 0n ? '<$0.000001' : allDigits(rounded, digits === 0n ? 2 : places)
}

export function sumOf(texts: readonly (string | null)[]): string {
  const values = texts
    .map((text) => (text === null ? undefined : read(text)))
    .filter((value) => value !== undefined)
  return plain(values.reduce(add, { digits: 0n, scale: 0 }))
}

/** One less the other, with its sign. */
export function difference(one: string, other: string): string {
  const [minuend, subtrahend] = [read(one), read(other)]
  return minuend && subtrahend ? plain(add(minuend, negative(subtrahend))) : '0'
}

function plain({ digits, scale }: Decimal): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const [whole, fraction] = [
    text.slice(0, text.length - scale),
    text.slice(text.length - scale).replace(/0+$/, ''),
  ]
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
