/** Days of a zone as dates. They are counted in UTC, where every day has 24 hours. */

const dayMs = 86_400_000

/** The Monday of the week of a date. */
export function weekOf(date: string): string {
  const at = new Date(`${date}T00:00:00Z`)
  const sinceMonday = (at.getUTCDay() + 6) % 7
  return new Date(at.getTime() - sinceMonday * dayMs).toISOString().slice(0, 10)
}

export function byWeek<T extends { date: string }>(days: readonly T[]): Map<string, T[]> {
  return Map.groupBy(days, ({ date }) => weekOf(date))
}

/**
 * How often a team deploys: by the median of days with a deployment per week, as Four Keys and DevLake class it. Weeks
 * without one count. A team that deploys in fewer than half of its weeks is classed by its months.
 */
export function frequencyClass(
  days: readonly { date: string; succeeded: number }[],
): 'daily' | 'weekly' | 'monthly' | 'yearly' | null {
  if (!days.some(({ succeeded }) => succeeded > 0)) return null
  const deployDays = (group: readonly { succeeded: number }[]): number =>
    group.filter(({ succeeded }) => succeeded > 0).length
  const perWeek = median([...byWeek(days).values()].map(deployDays))
  if (perWeek >= 3) return 'daily'
  if (perWeek >= 1) return 'weekly'
  const months = Map.groupBy(days, ({ date }) => date.slice(0, 7))
  return median([...months.values()].map(deployDays)) >= 1 ? 'monthly' : 'yearly'
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [high = 0, low = high] = [
    sorted[middle],
    sorted.length % 2 === 0 ? sorted[middle - 1] : sorted[middle],
  ]
  return (high + low) / 2
}
