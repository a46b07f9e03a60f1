export interface Sample {
  minute: number
  megabytes: number
}

/** The slope of the straight line that fits best, in megabytes a minute. */
export function growthPerMinute(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [minute, megabytes] = [mean((sample) => sample.minute), mean((sample) => sample.megabytes)]
  const together = mean((sample) => (sample.minute - minute) * (sample.megabytes - megabytes))
  return together / mean((sample) => (sample.minute - minute) ** 2)
}
