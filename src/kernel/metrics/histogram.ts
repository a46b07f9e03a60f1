import { Histogram, type HistogramConfiguration } from 'prom-client'

/** Takes the values of one combination of labels. */
export interface Observer {
  observe(value: number): void
}

const maxWaiting = 256

/**
 * A histogram for what every request measures. The library finds the labels of each value again, which costs a request
 * microseconds between its other work, and a fraction of that where many values follow each other: so they wait until
 * the registry is read.
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
