import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMs = 5

/** As `map` of an array. Many values take long: after every few milliseconds other requests have their turn. */
export async function mapInTurns<T, R>(
  values: readonly T[],
  map: (value: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = []
  let since = performance.now()
  for (const [index, value] of values.entries()) {
    results.push(map(value, index))
    if (performance.now() - since < turnMs) continue
    await nextTurn()
    since = performance.now()
  }
  return results
}
