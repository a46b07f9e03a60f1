/** Null without values. Between two values it is in proportion, as PostgreSQL's percentile_cont. The order changes. */
export function percentile(values: Float64Array, share: number): number | null {
  return percentiles(values, share)[0] ?? null
}

/** Several, from the lowest share to the highest: each is looked for only behind the one before it. */
export function percentiles(values: Float64Array, ...shares: readonly number[]): (number | null)[] {
  let from = 0
  return shares.map((share) => {
    if (values.length === 0) return null
    const place = share * (values.length - 1)
    const below = Math.floor(place)
    const low = select(values, below, from)
    from = below
    return place === below ? low : low + (place - below) * (smallest(values, below + 1) - low)
  })
}

/** Null without values. */
export function average(values: Float64Array): number | null {
  if (values.length === 0) return null
  let sum = 0
  for (let n = 0; n < values.length; n++) sum += values[n]!
  return sum / values.length
}

/**
 * The value that would be at the place if they were sorted; larger ones lie behind it afterwards. Those before `from` are
 * known to be smaller. Hoare's selection.
 */
function select(values: Float64Array, place: number, from: number): number {
  let [left, right] = [from, values.length - 1]
  while (left < right) {
    const pivot = values[(left + right) >> 1]!
    let [low, high] = [left, right]
    while (low <= high) {
      while (values[low]! < pivot) low++
      while (values[high]! > pivot) high--
      if (low > high) break
      const moved = values[low]!
      values[low++] = values[high]!
      values[high--] = moved
    }
    if (place <= high) right = high
    else if (place >= low) left = low
    else break
  }
  return values[place] ?? 0
}

function smallest(values: Float64Array, from: number): number {
  let found = Infinity
  for (let at = from; at < values.length; at++) if (values[at]! < found) found = values[at]!
  return found
}
