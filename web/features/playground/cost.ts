import type { Model } from '#gateway/contract'
import { add, decimalOfNumber, movePoint, multiply, readDecimal, writeDecimal } from '#kernel/decimal'
import type { Decimal } from '#kernel/decimal'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import type { Usage } from './types.ts'

/**
 * The cost of a response, or undefined if the price is unknown. The list of models has no price for cached tokens, so
 * with them the cost is approximate; the logs have the exact one.
 */
export function costOf(usage: Usage, model: Model | undefined): string | undefined {
  const input = readDecimal(model?.input_price_per_1m ?? '')
  const output = readDecimal(model?.output_price_per_1m ?? '')
  if (!input || !output) return undefined
  const cost = add(priceOf(usage.input, input), priceOf(usage.output, output))
  const sum = shortDollars(writeDecimal(cost))
  return usage.cached > 0 ? `about ${sum}` : sum
}

/** "$3 in, $15 out", per million tokens; or "$0.0001 per second" of audio. */
export function pricesInWords(model: Model): string | undefined {
  const { input_price_per_1m, output_price_per_1m, audio_price_per_second: second } = model
  if (input_price_per_1m === null && second !== null) return `${exactDollars(second)} per second`
  if (input_price_per_1m === null || output_price_per_1m === null) return undefined
  const [input, output] = [input_price_per_1m, output_price_per_1m].map((price) =>
    exactDollars(price).replace(/\.00$/, ''),
  )
  return `${input} in, ${output} out`
}

const priceOf = (tokens: number, perMillion: Decimal): Decimal =>
  movePoint(multiply(decimalOfNumber(tokens), perMillion), 6)
