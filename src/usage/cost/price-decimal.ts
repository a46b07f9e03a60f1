import { BoundedCache } from '#kernel/cache'
import { decimal, type Decimal } from '#kernel/decimal'

/** There are few different prices, and every request reads some. */
const known = new BoundedCache<string, Decimal>('price_decimals', 2_000)

/** A stored price as a number. */
export function priceDecimal(text: string): Decimal {
  const before = known.get(text)
  if (before) return before
  const read = decimal(text)
  known.set(text, read)
  return read
}
