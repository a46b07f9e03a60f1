export interface ChartSeries {
  name: string
  /** The custom property that holds its colour, such as `--series-1`. */
  colour: string
  /** One value a step, for drawing; null where there is none yet. */
  values: readonly (number | null)[]
  /** The same as they are read: exact, where the drawing need not be. */
  texts: readonly string[]
}
