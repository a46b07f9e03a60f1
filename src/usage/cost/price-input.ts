import { randomUUID } from 'node:crypto'
import { invalid } from '#kernel/errors'
import type { PriceBody } from '../contract.ts'
import type { PriceRow } from '../row.ts'
import type { PriceTier } from '../tables.ts'
import { readDecimal, readNumber, writeDecimal, type Decimal } from '#kernel/decimal'

const simpleFields = [
  'cache_read_price_per_1m',
  'cache_write_price_per_1m',
  'cache_write_long_price_per_1m',
  'audio_input_price_per_1m',
  'audio_output_price_per_1m',
  'request_price',
] as const

/** A group's custom price from the request body; throws a Fault that names the field. */
export function customPrice(
  groupId: string,
  model: string,
  body: PriceBody,
  from: Date,
  place: string = '',
): PriceRow {
  if (/\p{Cc}/u.test(model) || !model.isWellFormed())
    throw invalid('The id of a model cannot hold control characters.', `${place}model_id`)
  const read = (name: 'input_price_per_1m' | 'output_price_per_1m'): string =>
    priceText(body[name], `${place}${name}`)
  const optional = simpleFields.map((name) => {
    const value = body[name]
    return [name, value === undefined || value === null ? null : priceText(value, `${place}${name}`)]
  })
  return {
    id: randomUUID(),
    group_id: groupId,
    model_id: model,
    source: 'own',
    input_price_per_1m: read('input_price_per_1m'),
    output_price_per_1m: read('output_price_per_1m'),
    ...(Object.fromEntries(optional) as Record<(typeof simpleFields)[number], string | null>),
    unit_prices: unitPrices(body.unit_prices, `${place}unit_prices`),
    tiers: tiersOf(body.tiers, `${place}tiers`),
    effective_from: from.toISOString(),
    effective_to: null,
  }
}

function unitPrices(given: PriceBody['unit_prices'], place: string): PriceRow['unit_prices'] {
  const entries = Object.entries(given ?? {})
  if (entries.length > 20) throw invalid('At most 20 units can have a price.', place)
  const odd = entries.find(([unit]) => !/^[a-z][a-z0-9_]*$/i.test(unit))
  if (odd) throw invalid('The name of a unit has letters, digits and _ only, such as web_search.', place)
  const read = entries.map(([unit, price]) => [unit, priceText(price, `${place}.${unit}`)])
  return read.length === 0 ? null : (Object.fromEntries(read) as Record<string, string>)
}

function tiersOf(given: PriceBody['tiers'], place: string): PriceTier[] | null {
  if (!given || given.length === 0) return null
  if (new Set(given.map((tier) => tier.above_tokens)).size < given.length)
    throw invalid('Two tiers begin at the same number of tokens.', place)
  return given
    .map(({ above_tokens, ...prices }, index) => {
      const read = Object.entries(prices)
        .filter((entry): entry is [string, string | number] => entry[1] !== undefined)
        .map(([name, price]) => [name, priceText(price, `${place}.${index}.${name}`)])
      return { above_tokens, ...(Object.fromEntries(read) as Omit<PriceTier, 'above_tokens'>) }
    })
    .toSorted((a, b) => a.above_tokens - b.above_tokens)
}

/** No price has more digits; a longer number is a mistake and would affect every cost. */
const maxWholeDigits = 9
const maxDecimalPlaces = 12

export function priceText(given: string | number, field: string): string {
  const text = decimalText(given)
  const [whole = '', fraction = ''] = text?.split('.') ?? []
  if (text === null || whole.length > maxWholeDigits || fraction.length > maxDecimalPlaces)
    throw invalid(
      `"${field}" must be a decimal number from 0, such as 2.50, with at most ${maxWholeDigits} digits before and ${maxDecimalPlaces} after the point.`,
      field,
    )
  return text
}

function decimalText(given: string | number): string | null {
  const read: Decimal | null = typeof given === 'number' ? readNumber(String(given)) : readDecimal(given)
  return read && read.digits >= 0n ? writeDecimal(read) : null
}
