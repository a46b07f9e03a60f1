/** Levels of a heatmap: 0 for nothing, else the quarter among the values that are not 0, as GitHub colors its days. */
export function levelsOf(values: readonly number[]): number[] {
  const present = values.filter((value) => value > 0).toSorted((a, b) => a - b)
  const borders = [0.25, 0.5, 0.75].map((part) => present[Math.ceil(part * present.length) - 1] ?? 0)
  return values.map((value) => (value === 0 ? 0 : 1 + borders.filter((border) => value > border).length))
}
