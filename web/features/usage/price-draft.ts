import { readDecimal } from '#kernel/decimal'
import type { Price, PriceBody } from '#usage/contract'

export const mainPrices = [
  { field: 'input_price_per_1m', label: 'Input', hint: 'a million tokens' },
  { field: 'output_price_per_1m', label: 'Output', hint: 'a million tokens' },
] as const

export const furtherPrices = [
  { field: 'cache_read_price_per_1m', label: 'Cached input', hint: 'a million tokens' },
  { field: 'cache_write_price_per_1m', label: 'Cache write', hint: 'a million tokens' },
  { field: 'cache_write_long_price_per_1m', label: 'Long cache write', hint: 'a million tokens' },
  { field: 'audio_input_price_per_1m', label: 'Audio in', hint: 'a million tokens' },
  { field: 'audio_output_price_per_1m', label: 'Audio out', hint: 'a million tokens' },
  { field: 'request_price', label: 'Request', hint: 'each request' },
] as const

export type PriceField = (typeof mainPrices | typeof furtherPrices)[number]['field']
export type PriceDraft = Record<PriceField, string>
export type PriceProblems = Partial<Record<PriceField, string>>

const fields = [...mainPrices, ...furtherPrices].map(({ field }) => field)

/** Without idle zeros, as a person would write it. */
export const tidy = (amount: string | null): string =>
  amount?.includes('.') ? amount.replace(/\.?0+$/, '') : (amount ?? '')

export function draftOf(price: Price | null): PriceDraft {
  return Object.fromEntries(fields.map((field) => [field, tidy(price?.[field] ?? null)])) as PriceDraft
}

/** An amount as people type it: a dollar sign and blanks are no fault. */
const plain = (text: string) => text.trim().replace(/^\$\s*/, '')

function isPrice(text: string): boolean {
  const amount = readDecimal(text)
  return amount !== null && amount.digits >= 0n
}

export function problemsOf(draft: PriceDraft): PriceProblems {
  const problems: PriceProblems = {}
  for (const { field } of mainPrices)
    if (plain(draft[field]) === '') problems[field] = 'Give the price, or 0 where it is free.'
  for (const field of fields) {
    const text = plain(draft[field])
    if (text !== '' && !isPrice(text)) problems[field] = 'Give an amount in dollars, such as 0.25.'
  }
  return problems
}

/** What is left empty has no price of its own. Tiers and units are no part of the form, and stay. */
export function bodyOf(draft: PriceDraft, before: Price | null): PriceBody {
  const amounts = Object.fromEntries(fields.map((field) => [field, plain(draft[field]) || null]))
  return {
    ...(amounts as Record<PriceField, string>),
    unit_prices: before?.unit_prices ?? null,
    tiers: before?.tiers ?? null,
  }
}
