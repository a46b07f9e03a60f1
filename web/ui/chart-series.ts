export interface ChartSeries {
  name: string
  /** The custom property that holds its colour, such as `--series-1`. */
  colour: string
  /** One value per step, for drawing; null if there is none yet. */
  values: readonly (number | null)[]
  /** The exact values as text. */
  texts: readonly string[]
}
