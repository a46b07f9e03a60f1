/** Null without values. Between two values it is in proportion, as PostgreSQL's percentile_cont. The order may change. */
export function percentile(values: Float64Array, share: number): number | null {
  return percentiles(values, share)[0] ?? null
}

/** Several, from the lowest share to the highest. */
export function percentiles(values: Float64Array, ...shares: readonly number[]): (number | null)[] {
  if (values.length === 0) return shares.map(() => null)
  const pairOf = values.length < minDivided ? pairBySelection(values) : pairByRanges(values)
  return shares.map((share) => {
    const place = share * (values.length - 1)
    const below = Math.floor(place)
    const [low, next] = pairOf(below)
    return place === below ? low : low + (place - below) * (next() - low)
  })
}

/** The value that would be at a place if they were sorted, and the one behind it. Places are asked for in order. */
type PairOf = (place: number) => [value: number, next: () => number]

function pairBySelection(values: Float64Array): PairOf {
  let from = 0
  return (place) => {
    // Each is looked for only behind the one before it.
    const value = select(values, place, from)
    from = place
    return [value, () => smallest(values, place + 1)]
  }
}

const ranges = 4_096
/** Fewer values are selected at once. */
const minDivided = 4_096

/**
 * Many values are divided into ranges of the same width by counting them, which is faster than to move them; only
 * those of one range are selected from.
 */
function pairByRanges(values: Float64Array): PairOf {
  const [lowest, highest] = extremes(values)
  const scale = (ranges - 1) / (highest - lowest)
  // All the same, or too far apart to calculate with.
  if (!(scale > 0 && scale < Infinity)) return pairBySelection(values)
  const counts = new Uint32Array(ranges)
  const rangeOf = new Uint16Array(values.length)
  for (let n = 0; n < values.length; n++) {
    const range = ((values[n]! - lowest) * scale) | 0
    rangeOf[n] = range
    counts[range]!++
  }
  const valuesOf = (range: number): Float64Array => {
    const inside = new Float64Array(counts[range]!)
    for (let n = 0, count = 0; n < rangeOf.length; n++) if (rangeOf[n] === range) inside[count++] = values[n]!
    return inside
  }
  return (place) => {
    let [range, before] = [0, 0]
    while (before + counts[range]! <= place) before += counts[range++]!
    const inside = valuesOf(range)
    const value = select(inside, place - before, 0)
    const next = (): number => {
      if (place - before + 1 < inside.length) return smallest(inside, place - before + 1)
      return smallest(valuesOf(counts.findIndex((count, other) => other > range && count > 0)), 0)
    }
    return [value, next]
  }
}

function extremes(values: Float64Array): [number, number] {
  let [lowest, highest] = [Infinity, -Infinity]
  for (let n = 0; n < values.length; n++) {
    const value = values[n]!
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  return [lowest, highest]
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
