import { Histogram, type HistogramConfiguration } from 'prom-client'

/** Takes the values of one combination of labels. */
export interface Observer {
  observe(value: number): void
}

/** Handed over then, so that a server without scrapes keeps no more of them. */
const maxWaiting = 256

/**
 * A histogram for what every request measures. The library looks up the labels for each value again, which costs a
 * request several microseconds; many values in a row take a fraction of that each. So they wait for each other, until
 * there are enough or the registry is read.
 */
export function createHistogram<T extends string>(
  configuration: HistogramConfiguration<T>,
): (...labels: string[]) => Observer {
  const flushes: (() => void)[] = []
  const collect = (): void => flushes.forEach((flush) => flush())
  const histogram = new Histogram({ ...configuration, collect })
  return (...labels) => {
    const observer = histogram.labels(...labels)
    const waiting: number[] = []
    const flush = (): void => {
      for (const value of waiting.splice(0)) observer.observe(value)
    }
    flushes.push(flush)
    return {
      observe(value) {
        if (waiting.push(value) === maxWaiting) flush()
      },
    }
  }
}
