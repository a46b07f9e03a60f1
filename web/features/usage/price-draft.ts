import { readDecimal } from '#kernel/decimal'
import type { Price, PriceBody } from '#usage/contract'

export const mainPrices = [
  { field: 'input_price_per_1m', label: 'Input', hint: 'per 1M tokens' },
  { field: 'output_price_per_1m', label: 'Output', hint: 'per 1M tokens' },
] as const

export const furtherPrices = [
  { field: 'cache_read_price_per_1m', label: 'Cached input', hint: 'per 1M tokens' },
  { field: 'cache_write_price_per_1m', label: 'Cache write', hint: 'per 1M tokens' },
  { field: 'cache_write_long_price_per_1m', label: 'Long cache write', hint: 'per 1M tokens' },
  { field: 'audio_input_price_per_1m', label: 'Audio input', hint: 'per 1M tokens' },
  { field: 'audio_output_price_per_1m', label: 'Audio output', hint: 'per 1M tokens' },
  { field: 'request_price', label: 'Request', hint: 'per request' },
] as const

export type PriceField = (typeof mainPrices | typeof furtherPrices)[number]['field']
export type PriceDraft = Record<PriceField, string>
export type PriceProblems = Partial<Record<PriceField, string>>

const fields = [...mainPrices, ...furtherPrices].map(({ field }) => field)

/** Without trailing zeros. */
export const tidy = (amount: string | null): string =>
  amount?.includes('.') ? amount.replace(/\.?0+$/, '') : (amount ?? '')

export function draftOf(price: Price | null): PriceDraft {
  return Object.fromEntries(fields.map((field) => [field, tidy(price?.[field] ?? null)])) as PriceDraft
}

/** Accepts a dollar sign and spaces around the amount. */
const plain = (text: string) => text.trim().replace(/^\$\s*/, '')

function isPrice(text: string): boolean {
  const amount = readDecimal(text)
  return amount !== null && amount.digits >= 0n
}

export function problemsOf(draft: PriceDraft): PriceProblems {
  const problems: PriceProblems = {}
  for (const { field } of mainPrices)
    if (plain(draft[field]) === '') problems[field] = 'Enter a price, or 0 if it is free.'
  for (const field of fields) {
    const text = plain(draft[field])
    if (text !== '' && !isPrice(text)) problems[field] = 'Enter an amount in dollars, for example 0.25.'
  }
  return problems
}

/** Empty fields have no separate price. Tiers and unit prices are not in the form and stay. */
export function bodyOf(draft: PriceDraft, before: Price | null): PriceBody {
  const amounts = Object.fromEntries(fields.map((field) => [field, plain(draft[field]) || null]))
  return {
    ...(amounts as Record<PriceField, string>),
    unit_prices: before?.unit_prices ?? null,
    tiers: before?.tiers ?? null,
  }
}
