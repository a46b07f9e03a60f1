import type { Daily, Hourly, UsageSums } from '#usage/contract'
import { startOf } from '../../ui/days.ts'
import { difference, exactDollars, sumOf } from '../../ui/money.ts'
import { countText } from '../../ui/quantity.ts'
import type { ChartSeries } from '../../ui/chart-series.ts'
import { coloursOf } from '../../ui/series-colour.ts'

type Bucket = Daily | Hourly

const momentOf = (bucket: Bucket): number =>
  'date' in bucket ? startOf(bucket.date) : Date.parse(bucket.hour)

/** One entry per step; undefined where the server has no data. */
export function fill(buckets: readonly Bucket[], steps: readonly number[]): (UsageSums | undefined)[] {
  const found = new Map(buckets.map((bucket) => [momentOf(bucket), bucket]))
  return steps.map((step) => found.get(step))
}

const costs = (filled: readonly (UsageSums | undefined)[]) => filled.map((sums) => sums?.total_cost ?? '0')

const moneySeries = (name: string, colour: string, amounts: readonly string[]): ChartSeries => ({
  name,
  colour,
  values: amounts.map(Number),
  texts: amounts.map(exactDollars),
})

interface ModelBuckets {
  model: string
  buckets: readonly Bucket[]
}

/** A stack of the most expensive models, each in its own colour, and the rest as one layer. */
export function spendSeries(
  total: readonly Bucket[],
  models: readonly ModelBuckets[],
  steps: readonly number[],
): ChartSeries[] {
  const layers = models.map(({ model, buckets }) => ({ model, amounts: costs(fill(buckets, steps)) }))
  const rest = costs(fill(total, steps)).map((amount, index) =>
    difference(amount, sumOf(layers.map(({ amounts }) => amounts[index] ?? '0'))),
  )
  const colours = coloursOf(layers.map(({ model }) => model))
  const shown = layers.map(({ model, amounts }) =>
    moneySeries(model, colours.get(model) ?? '--series-rest', amounts),
  )
  // Totals and models are loaded one after the other: a request in between must not give a negative rest.
  const others = rest.map((amount) => (amount.startsWith('-') ? '0' : amount))
  return others.some((amount) => amount !== '0')
    ? [...shown, moneySeries(models.length === 0 ? 'Spend' : 'Other models', '--series-rest', others)]
    : shown
}

export const spendTotals = (buckets: readonly Bucket[], steps: readonly number[]): string[] =>
  costs(fill(buckets, steps)).map(exactDollars)

export const previousSpend = (buckets: readonly Bucket[], steps: readonly number[]): ChartSeries =>
  moneySeries('Previous period', '--ink-faint', costs(fill(buckets, steps)))

const tokenLines = [
  { name: 'Input', colour: '--series-1', count: (sums: UsageSums) => sums.prompt_tokens },
  { name: 'Output', colour: '--series-2', count: (sums: UsageSums) => sums.completion_tokens },
  { name: 'Cached input', colour: '--series-3', count: (sums: UsageSums) => sums.cached_tokens },
]

/** A line ends at the present: future steps are not zero. */
export function tokenSeries(
  buckets: readonly Bucket[],
  steps: readonly number[],
  now: number,
): ChartSeries[] {
  const filled = fill(buckets, steps)
  return tokenLines.map(({ name, colour, count }) => {
    const values = filled.map((sums, index) => ((steps[index] ?? 0) > now ? null : sums ? count(sums) : 0))
    return { name, colour, values, texts: values.map((value) => (value === null ? '–' : countText(value))) }
  })
}
