import uPlot from 'uplot'
import { lonePlaces, type ChartSeries } from './chart-series.ts'

interface Drawing {
  steps: readonly string[]
  series: readonly ChartSeries[]
  form: 'stack' | 'lines'
  ghost?: ChartSeries | undefined
}

/** A stack is drawn from the top down: each layer reaches from zero to the sum of itself and all layers below. */
export function drawnData({ steps, series, form, ghost }: Drawing): uPlot.AlignedData {
  const places = steps.map((_, index) => index)
  const layers = series.map(({ values }, at) =>
    form === 'lines' ? [...values] : values.map((_, index) => sumUpTo(series, at, index)),
  )
  return [places, ...(form === 'stack' ? layers.reverse() : layers), ...(ghost ? [[...ghost.values]] : [])]
}

const sumUpTo = (series: readonly ChartSeries[], last: number, index: number): number =>
  series.slice(0, last + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0)

interface Look extends Drawing {
  formatAxis: (value: number) => string
  /** Where the colours of the theme are read. */
  element: Element
}

export function chartOptions({
  steps,
  series,
  form,
  ghost,
  formatAxis,
  element,
}: Look): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--ink-faint'),
    font: `11px ${style.fontFamily}`,
    ticks: { show: false },
    border: { show: false },
  }
  const drawn = form === 'stack' ? series.toReversed() : series
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: form === 'lines', size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, steps.length - 0.4] },
      // Without data the zero line stays at the bottom.
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        splits: placesOf(steps),
        values: (_plot, places) => places.map((place) => axisName(steps[place] ?? '')),
      },
      {
        ...axis,
        grid: { stroke: colour('--line'), width: 1 },
        size: 58,
        splits: marksOf,
        values: (_plot, marks) => marks.map(formatAxis),
      },
    ],
    series: [
      {},
      ...drawn.map((each) =>
        form === 'stack'
          ? columnLook(colour(each.colour))
          : lineLook(colour(each.colour), lonePlaces(each.values)),
      ),
      ...(ghost ? [ghostLook(colour(ghost.colour))] : []),
    ],
  }
}

const points = { show: false }
const columns = () => uPlot.paths.bars?.({ size: [0.72, 44] })

const columnLook = (colour: string): uPlot.Series => {
  const paths = columns()
  return { fill: colour, stroke: colour, width: 0, points, ...(paths && { paths }) }
}
const lineLook = (colour: string, lone: number[]): uPlot.Series => ({
  stroke: colour,
  width: 2,
  points: lone.length === 0 ? points : { show: true, filter: () => lone, size: 6, fill: colour },
})
const ghostLook = (colour: string): uPlot.Series => ({ stroke: colour, width: 1.5, dash: [4, 4], points })

/** As many labels as fit, evenly spaced; the last step always has one. */
const placesOf =
  (steps: readonly string[]): uPlot.Axis.Splits =>
  (plot) => {
    const count = steps.length
    // A character of the small font is about 6 px wide. Days of another year have the year, so they are longer.
    const width = Math.max(52, 12 + 6 * Math.max(0, ...steps.map((step) => axisName(step).length)))
    const every = Math.max(1, Math.ceil((count * width) / Math.max(1, plot.width - 70)))
    return Array.from({ length: Math.ceil(count / every) }, (_, index) => count - 1 - index * every).reverse()
  }

/** At most four round marks. */
const marksOf: uPlot.Axis.Splits = (_plot, _axis, _low, high) => {
  const rough = high / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough) ?? 10) * power
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, index) => index * step)
}

/** Without what a step's name says in parentheses, for which an axis has no room. */
const axisName = (step: string): string => step.replace(/ \([^)]*\)$/, '')
