export interface ChartSeries {
  name: string
  /** The custom property that holds its colour, such as `--series-1`. */
  colour: string
  /** One value per step, for drawing; null if there is none yet. */
  values: readonly (number | null)[]
  /** The exact values as text. */
  texts: readonly string[]
}

/** The places of values without a neighbour: no line is drawn to them, so they need a point. */
export const lonePlaces = (values: ChartSeries['values']): number[] =>
  values.flatMap((value, at) =>
    value !== null && isNone(values[at - 1]) && isNone(values[at + 1]) ? [at] : [],
  )

const isNone = (value: number | null | undefined): boolean => value === null || value === undefined
