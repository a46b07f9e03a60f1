import { add, movePoint, readNumber, writeDecimal } from '#kernel/decimal'

/**
 * Moves the point of a decimal to the right, exactly: "0.000000825" by 6 is "0.825". Null when the text is not a
 * number of reasonable size.
 */
export function shiftDecimal(text: string, by: number): string | null {
  const read = readNumber(text.trim())
  return read && writeDecimal(movePoint(read, -by))
}

export function addDecimals(left: string, right: string): string | null {
  const [a, b] = [readNumber(left), readNumber(right)]
  return a && b && writeDecimal(add(a, b))
}
