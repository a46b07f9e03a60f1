/** Whether a sum is far above what is usual. Statistics are estimates, so these are floating-point numbers. */

/** Fewer days say too little. */
export const minDays = 7

/** How many robust standard deviations above the usual count as unusual. */
const factors = { low: 8, medium: 5, high: 3 } as const
/** Turns the median absolute deviation into what a standard deviation would be for normal values. */
const madToDeviation = 1.4826
/** Hours that always cost the same would make every cent unusual. */
const leastDeviation = 0.1

export interface Sense {
  sensitivity: keyof typeof factors
  /** How much more than usual it has to cost. */
  minAmount: number
}

export interface Judged {
  isUnusual: boolean
  cost: number
  expected: number
  threshold: number
}

/**
 * `samples` are the same hour of the days before, the last day first. What is expected is their median, or that of the
 * same weekdays where that is more, so that a job of every Sunday is usual on Sundays.
 */
export function judge(cost: number, samples: readonly number[], { sensitivity, minAmount }: Sense): Judged {
  const middle = median(samples)
  const expected = Math.max(middle, median(samples.filter((_, index) => index % 7 === 6)))
  const mad = median(samples.map((sample) => Math.abs(sample - middle)))
  const deviation = Math.max(mad * madToDeviation, expected * leastDeviation)
  const threshold = expected + Math.max(factors[sensitivity] * deviation, minAmount)
  return { isUnusual: samples.length >= minDays && cost >= threshold, cost, expected, threshold }
}

export const usual = (samples: readonly number[]): number => median(samples)

function median(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}
