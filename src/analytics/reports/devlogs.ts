import { readCalendar, sumPer, type Unit } from '../calendar.ts'
import type { DevlogsReport } from '../contract.ts'
import { shareOf } from '../figure.ts'
import { levelsOf } from '../levels.ts'
import { countDevlogs } from '../queries/devlogs.ts'
import type { Queryable } from '../queries/query.ts'
import { toPeriod, type Scope } from '../scope.ts'

export async function reportDevlogs(db: Queryable, scope: Scope): Promise<DevlogsReport> {
  const { period } = scope
  const { steps, days, daysBefore, hours } = await readCalendar(db, period)
  const counted = await countDevlogs(db, scope, steps)
  const counts = (units: readonly Unit[]) => sumPer(units, counted.steps, ['human', 'ai'])
  const perDay = (units: readonly Unit[]) =>
    counts(units).map((each, n) => ({ date: units[n]?.name ?? '', ...each }))
  const [shown, before] = [perDay(days), perDay(daysBefore)]
  const levels = levelsOf(shown.map(({ human, ai }) => human + ai))
  return {
    period: toPeriod(period),
    days: period.days,
    ...totalOf(shown),
    by_service: counted.services.map((row) => ({ service: row.service, ...totalOf([row]) })),
    per_day: shown.map((day, n) => ({ ...day, level: levels[n] ?? 0 })),
    per_hour: hours && counts(hours).map((each, n) => ({ at: hours[n]?.name ?? '', ...each })),
    heatmap: counted.heatmap,
    previous: { ...totalOf(before), per_day: before },
  }
}

function totalOf(counts: readonly { human: number; ai: number }[]) {
  const human = counts.reduce((sum, each) => sum + each.human, 0)
  const ai = counts.reduce((sum, each) => sum + each.ai, 0)
  return { total: human + ai, human, ai, ai_share: shareOf(ai, human + ai) }
}
