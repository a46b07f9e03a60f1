/**
 * Exact decimal numbers for money: a whole number and how many of its digits are decimals. Nothing here
 * uses floating point, and sums and products are exact.
 */
export interface Decimal {
  readonly digits: bigint
  readonly places: number
}

export const zero: Decimal = { digits: 0n, places: 0 }

/** No price is longer; the limit keeps hostile input from costing time. */
const form = /^(-?)(\d{1,60})(?:\.(\d{1,60}))?$/

/** Reads plain decimal text, such as `-12.050`. Null for anything else: signs, exponents, blanks, too many digits. */
export function readDecimal(text: string): Decimal | null {
  const match = form.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = ''] = match
  return { digits: BigInt(`${sign}${whole}${fraction}`), places: fraction.length }
}

const numberForm = /^(-?)(\d{1,100})(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** Reads a number as JSON writes it, also with an exponent. Null for anything else, or a number too large for a price. */
export function readNumber(text: string): Decimal | null {
  const match = numberForm.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const by = Number(exponent)
  // The exponent alone could produce gigabytes of text.
  if (Math.abs(by) > 100 || fraction.length > 100) return null
  return movePoint({ digits: BigInt(`${sign}${whole}${fraction}`), places: fraction.length }, -by)
}

/** Reads decimal text that is known to be good: a price that was checked when it was stored. */
export function decimal(text: string): Decimal {
  const read = readDecimal(text)
  if (!read) throw new RangeError(`"${text.slice(0, 80)}" is not a decimal number.`)
  return read
}

const codeOfZero = 48

/** Plain notation, without an exponent and without needless zeros. */
export function writeDecimal({ digits, places }: Decimal): string {
  if (digits === 0n) return '0'
  if (digits < 0n) return `-${writeDecimal({ digits: -digits, places })}`
  const text = digits.toString()
  const point = text.length - places
  let end = text.length
  while (end > point && text.charCodeAt(end - 1) === codeOfZero) end--
  if (point <= 0) return `0.${'0'.repeat(-point)}${text.slice(0, end)}`
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`
}

export function add(left: Decimal, right: Decimal): Decimal {
  if (left.digits === 0n) return right
  const places = Math.max(left.places, right.places)
  return { digits: atPlaces(left, places) + atPlaces(right, places), places }
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, { digits: -right.digits, places: right.places })
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, places: left.places + right.places }
}

/** Divides by a power of ten, which only moves the point. */
export function movePoint({ digits, places }: Decimal, by: number): Decimal {
  const moved = places + by
  return moved >= 0 ? { digits, places: moved } : { digits: digits * 10n ** BigInt(-moved), places: 0 }
}

/** Divides by a whole number, truncated to `places` digits; the only inexact operation. */
export function divide({ digits, places }: Decimal, by: bigint, wanted: number): Decimal {
  return {
    digits: (digits * 10n ** BigInt(Math.max(0, wanted - places))) / by,
    places: Math.max(places, wanted),
  }
}

export function isZero({ digits }: Decimal): boolean {
  return digits === 0n
}

/** The shortest decimal that means this number, as JavaScript prints it. */
export function decimalOfNumber(value: number): Decimal {
  const read = readNumber(String(value))
  if (!read) throw new RangeError(`${value} is not a decimal number.`)
  return read
}

function atPlaces({ digits, places }: Decimal, wanted: number): bigint {
  return wanted === places ? digits : digits * 10n ** BigInt(wanted - places)
}
