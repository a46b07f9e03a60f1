import { add, dollars, readDecimal, timesMillionth } from '../../ui/decimal.ts'
import type { Model, Usage } from './types.ts'

/**
 * What an answer cost, as text, or undefined where a price is not known. Cached tokens have a price of their own that
 * the list of models does not tell: with them it is only about right, and the register has the exact sum.
 */
export function costOf(usage: Usage, model: Model | undefined): string | undefined {
  const input = readDecimal(model?.input_price_per_1m ?? '')
  const output = readDecimal(model?.output_price_per_1m ?? '')
  if (!input || !output) return undefined
  const sum = dollars(add(timesMillionth(input, usage.input), timesMillionth(output, usage.output)))
  return usage.cached > 0 ? `about ${sum}` : sum
}

/** "$3 in, $15 out": for a million tokens each. */
export function pricesInWords(model: Model): string | undefined {
  const [input, output] = [model.input_price_per_1m, model.output_price_per_1m].map((price) => {
    const value = readDecimal(price ?? '')
    return value && dollars(value).replace(/\.00$/, '')
  })
  return input !== undefined && output !== undefined ? `${input} in, ${output} out` : undefined
}
