import type { LimitedCall } from '#gateway'
import type { TokenPrice } from './deps.ts'
import type { Metric } from './limit-shapes.ts'
import { dollarUnits, type Units } from './units.ts'
import type { UsualUse } from './usual-use.ts'

/** English text has about four bytes a token, JSON and other languages fewer; too much is given back, too little is not. */
const bytesPerToken = 3
const perMillion = 1_000_000n

export interface Estimate {
  readonly tokens: bigint
  /** Null where no price is known. */
  readonly cost: Units | null
}

/** The tokens of a prompt by its size. */
export const expectedInput = ({ inputBytes }: Pick<LimitedCall, 'inputBytes'>): number =>
  Math.ceil(inputBytes / bytesPerToken)

/** Where the provider does not say how much a model writes at most. */
const unknownCeiling = 128_000
/** More than any model writes: a client that allows more must not reserve a whole budget with it. */
const maxOutput = 1_000_000

/** What a call may use at most, by and large. `ceiling` is what the model writes at most, where that is known. */
export function estimate(
  call: LimitedCall,
  price: TokenPrice | null,
  usual: UsualUse,
  ceiling: () => number | null,
): Estimate {
  const input = BigInt(usual.inputOf(call.model, expectedInput(call)))
  const output = BigInt(outputOf(call, usual, ceiling) * call.choices)
  return { tokens: input + output, cost: price && costOf(price, input, output) }
}

/** Nothing known of a model: as much as it can write, so that a first burst cannot pass a limit unseen. */
function outputOf({ model, maxOutputTokens }: LimitedCall, usual: UsualUse, ceiling: () => number | null) {
  if (maxOutputTokens === null) return usual.outputOf(model) ?? ceiling() ?? unknownCeiling
  return maxOutputTokens <= unknownCeiling
    ? maxOutputTokens
    : Math.min(maxOutputTokens, ceiling() ?? maxOutput)
}

function costOf(price: TokenPrice, input: bigint, output: bigint): Units {
  const units = unitsOf(price)
  const ofTokens = input * units.input + output * units.output
  return (ofTokens + perMillion - 1n) / perMillion + units.request
}

/** Prices are read once: every request of a model has the same. */
const readPrices = new WeakMap<TokenPrice, Record<keyof TokenPrice, Units>>()

function unitsOf(price: TokenPrice): Record<keyof TokenPrice, Units> {
  const known = readPrices.get(price)
  if (known) return known
  const { input, output, request } = price
  const read = { input: dollarUnits(input), output: dollarUnits(output), request: dollarUnits(request) }
  readPrices.set(price, read)
  return read
}

/** What a call takes of a limit before it is made; null: it is not known. */
export function needOf(metric: Metric, { tokens, cost }: Estimate): Units | null {
  if (metric === 'cost') return cost
  return metric === 'tokens' ? tokens : 1n
}
