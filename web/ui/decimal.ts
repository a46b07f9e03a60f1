/** Money without floats: whole numbers, and how many of their digits stand after the point. */
export interface Decimal {
  digits: bigint
  scale: number
}

/** Reads `3`, `0.075` or `1.5e-7`; undefined for anything else. */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text.trim())
  if (!match) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = match
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

/** The price of a number of tokens, from the price of a million. */
export const timesMillionth = ({ digits, scale }: Decimal, tokens: number): Decimal => ({
  digits: digits * BigInt(tokens),
  scale: scale + 6,
})

export const negative = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale })

/** Every digit there is, at least so many after the point, thousands apart. Below nothing the sign stands in front. */
export function allDigits({ digits, scale }: Decimal, least = 2): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = text
    .slice(text.length - scale)
    .replace(/0+$/, '')
    .padEnd(least, '0')
  return `${digits < 0n ? '−' : ''}$${whole}.${fraction}`
}

/** Half up, to so many digits after the point. */
export function roundTo({ digits, scale }: Decimal, places: number): Decimal {
  if (scale <= places) return { digits: digits * 10n ** BigInt(places - scale), scale: places }
  const unit = 10n ** BigInt(scale - places)
  return { digits: (digits + unit / 2n) / unit, scale: places }
}

export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  const digits = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own)
  return { digits: digits(one) + digits(other), scale }
}

const finest = 6

/** Dollars: at least cents, at most millionths, rounded half up. What is less than that is said to be less. */
export function dollars(value: Decimal): string {
  if (value.digits === 0n) return '$0.00'
  const rounded = roundTo(value, finest).digits
  if (rounded === 0n) return `under $${'0.'.padEnd(finest + 1, '0')}1`
  const text = rounded.toString().padStart(finest + 1, '0')
  const fraction = text.slice(-finest).replace(/0+$/, '').padEnd(2, '0')
  return `$${text.slice(0, -finest)}.${fraction}`
}
