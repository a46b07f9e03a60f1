const form = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

interface Decimal {
  /** All digits, the sign included. */
  readonly digits: bigint
  /** How many of them stand behind the point. */
  readonly places: number
}

/**
 * Moves the point of a decimal to the right, exactly: "0.000000825" by 6 is "0.825". Prices never pass through
 * floating point. Null when the text is not a plain decimal number of reasonable size.
 */
export function shiftDecimal(text: string, by: number): string | null {
  const decimal = read(text)
  return decimal && print({ digits: decimal.digits, places: decimal.places - by })
}

export function addDecimals(left: string, right: string): string | null {
  const a = read(left)
  const b = read(right)
  if (!a || !b) return null
  const places = Math.max(a.places, b.places)
  return print({ digits: scaled(a, places) + scaled(b, places), places })
}

function read(text: string): Decimal | null {
  const match = form.exec(text.trim())
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const places = fraction.length - Number(exponent)
  // A few hundred digits are no price; the exponent alone could ask for a text of gigabytes.
  if (Math.abs(places) > 100 || whole.length > 100) return null
  return { digits: BigInt(`${sign}${whole}${fraction}`), places }
}

function scaled({ digits, places }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - places)
}

function print({ digits, places }: Decimal): string {
  if (places <= 0) return (digits * 10n ** BigInt(-places)).toString()
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')
  const fraction = text.slice(-places).replace(/0+$/, '')
  const magnitude = text.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`)
  return digits < 0n && magnitude !== '0' ? `-${magnitude}` : magnitude
}
