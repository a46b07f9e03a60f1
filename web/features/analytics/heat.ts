/** From nothing to the most: the share of the colour in each of five levels. */
const shares = [0, 25, 50, 75, 100]

export const heatColour = (level: number): string =>
  level === 0
    ? 'var(--hover)'
    : `color-mix(in srgb, var(--series-3) ${shares[level] ?? 100}%, var(--surface))`

/** The level of a count beside the largest one. */
export const levelOf = (count: number, largest: number): number =>
  count === 0 || largest === 0 ? 0 : Math.max(1, Math.ceil((count / largest) * 4))
