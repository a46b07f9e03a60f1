/** How often, as people choose it. `custom` has the expression itself. */
export const rhythms = ['hour', 'day', 'weekday', 'week', 'month', 'custom'] as const
export type Rhythm = (typeof rhythms)[number]

export const rhythmNames: Record<Rhythm, string> = {
  hour: 'Every hour',
  day: 'Every day',
  weekday: 'Monday to Friday',
  week: 'Every week',
  month: 'Every month',
  custom: 'Cron expression',
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export interface ScheduleDraft {
  rhythm: Rhythm
  /** As 09:00. */
  time: string
  weekday: string
  day: string
  cron: string
  time_zone: string
  request: string
  enabled: boolean
}

export const emptySchedule = (timeZone: string): ScheduleDraft => ({
  ...{ rhythm: 'day', time: '09:00', weekday: '1', day: '1', cron: '0 9 * * *' },
  ...{ time_zone: timeZone, request: '', enabled: true },
})

/** The expression of what was chosen. */
export function cronOf({ rhythm, time, weekday, day, cron }: ScheduleDraft): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const at = `${minute} ${hour}`
  const crons: Record<Rhythm, string> = {
    hour: `${minute} * * * *`,
    day: `${at} * * *`,
    weekday: `${at} * * 1-5`,
    week: `${at} * * ${weekday}`,
    month: `${at} ${day} * *`,
    custom: cron.trim(),
  }
  return crons[rhythm]
}

type Stored = Pick<ScheduleDraft, 'cron' | 'time_zone' | 'request' | 'enabled'>

/** What to show of a schedule: the choices that make the same expression, or the expression. */
export function draftOf({ cron, time_zone, request, enabled }: Stored): ScheduleDraft {
  const [minute = '', hour = '', day = '', , weekday = ''] = cron.split(/\s+/)
  const draft = { ...emptySchedule(time_zone), cron, request, enabled }
  draft.time = `${(/^\d+$/.test(hour) ? hour : '9').padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (/^\d$/.test(weekday)) draft.weekday = weekday
  if (/^\d{1,2}$/.test(day)) draft.day = day
  const rhythm = rhythms.find((each) => cronOf({ ...draft, rhythm: each }) === cron) ?? 'custom'
  return { ...draft, rhythm }
}
