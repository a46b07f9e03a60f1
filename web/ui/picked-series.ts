import type { ChartSeries } from './chart-series.ts'

interface Drawn {
  series: readonly ChartSeries[]
  form: 'stack' | 'lines'
}

/** The layer of a stack that has the value, or the nearest line; undefined above a stack. */
export function pickedSeries({ series, form }: Drawn, index: number, value: number): string | undefined {
  if (form === 'lines') {
    const distance = ({ values }: ChartSeries): number => Math.abs((values[index] ?? Infinity) - value)
    return series.toSorted((a, b) => distance(a) - distance(b))[0]?.name
  }
  let top = 0
  return series.find(({ values }) => {
    top += values[index] ?? 0
    return value <= top
  })?.name
}
