import { rowJson } from '#kernel/rows'
import type { Db } from '../record-store.ts'
import type { ServiceState } from '../shapes/services.ts'
import type { PublicStatus } from '../shapes/status-page.ts'
import {
  listDays,
  listPublicIncidents,
  listPublicServices,
  listPublicWindows,
  type DayRow,
  type PageRow,
  type PublicIncidentRow,
} from './store.ts'

const shownDays = 90
const shownIncidents = 50
const dayMs = 86_400_000

/** All that the page shows: of public services only, and of those no address, error or cause. */
export async function readPublicStatus(db: Db, page: PageRow, now: Date): Promise<PublicStatus> {
  const services = await listPublicServices(db, page.group_id)
  const ids = services.map(({ id }) => id)
  const [days, incidents, windows] = await Promise.all([
    listDays(db, ids, shownDays),
    listPublicIncidents(db, ids, shownDays),
    listPublicWindows(db, ids),
  ])
  const names = new Map(services.map(({ id, name }) => [id, name]))
  const states = new Map(services.map(({ id, state }) => [id, publicState(state, id, incidents)]))
  const nameOf = (id: string): string => names.get(id) ?? ''
  return {
    title: page.title,
    description: page.description,
    state: worstOf([...states.values()]),
    services: services.map(({ id, state_since, state, ...shown }) => ({
      ...shown,
      state: states.get(id) ?? state,
      state_since: state_since.toISOString(),
      ...barsOf(
        days.filter((day) => day.service_id === id),
        incidents.filter((incident) => incident.service_id === id),
        now,
      ),
    })),
    incidents: incidents.slice(0, shownIncidents).map(({ service_id, opened_at, closed_at }) => ({
      service: nameOf(service_id),
      ...rowJson({ opened_at, closed_at }),
    })),
    maintenance: windows.map(({ service_id, starts_at, ends_at, note }) => ({
      service: nameOf(service_id),
      ...rowJson({ starts_at, ends_at, note }),
    })),
    generated_at: now.toISOString(),
  }
}

/** From bad to good: what nobody knows is not shown as good. */
const badness: readonly ServiceState[] = ['down', 'unknown', 'maintenance', 'up']

function worstOf(states: readonly ServiceState[]): ServiceState {
  return states.length === 0 ? 'unknown' : (badness.find((state) => states.includes(state)) ?? 'unknown')
}

/** While somebody reports that a service is down, the page does not say that it is up. */
function publicState(state: ServiceState, id: string, incidents: readonly PublicIncidentRow[]): ServiceState {
  const isReported = incidents.some(({ service_id, closed_at }) => service_id === id && closed_at === null)
  return isReported && state !== 'maintenance' ? 'down' : state
}

/** One bar per day (UTC), the oldest first; a day without checks has no uptime. */
function barsOf(rows: readonly DayRow[], incidents: readonly PublicIncidentRow[], now: Date) {
  const byDate = new Map(rows.map((row) => [row.date, row]))
  const reported = reportedSpans(incidents, now)
  const days = Array.from({ length: shownDays }, (_each, index) => {
    const date = dateOf(new Date(now.getTime() - (shownDays - 1 - index) * dayMs))
    const day = { from: Date.parse(date), to: Math.min(Date.parse(date) + dayMs, now.getTime()) }
    const { checked, failed } = checkedOf(byDate.get(date))
    return {
      date,
      incidents: incidents.filter((each) => lengthWithin([spanOf(each, now)], day) > 0).length,
      checked,
      down: failed + lengthWithin(reported, day),
    }
  })
  return {
    ...sumOf(days),
    days: days.map((day) => ({ date: day.date, uptime: sumOf([day]).uptime, incidents: day.incidents })),
  }
}

/** Checks may speak for longer than the day: the last for hours of the next, or both when the interval changed. */
function checkedOf(day: DayRow | undefined) {
  const { ok_seconds = 0, failed_seconds = 0 } = day ?? {}
  const seconds = ok_seconds + failed_seconds
  const share = Math.min(1, dayMs / 1_000 / Math.max(1, seconds))
  return { checked: seconds * share * 1_000, failed: failed_seconds * share * 1_000 }
}

/** Uptime is of the time that was checked, without what was reported to be down. */
function sumOf(days: readonly { checked: number; down: number }[]) {
  const checked = days.reduce((sum, day) => sum + day.checked, 0)
  const down = days.reduce((sum, day) => sum + (day.checked === 0 ? 0 : day.down), 0)
  return {
    uptime: checked === 0 ? null : Math.max(0, 1 - down / checked),
    checked_seconds: Math.round(checked / 1_000),
  }
}

interface Span {
  from: number
  to: number
}

const spanOf = ({ opened_at, closed_at }: PublicIncidentRow, now: Date): Span => ({
  from: opened_at.getTime(),
  to: Math.max((closed_at ?? now).getTime(), opened_at.getTime() + 1),
})

/** When people or alerts reported an incident that no failed check counts already; each moment once. */
function reportedSpans(incidents: readonly PublicIncidentRow[], now: Date): Span[] {
  const isChecked = ({ source }: PublicIncidentRow): boolean => source === 'health_check'
  const checked = incidents.filter(isChecked).map((each) => spanOf(each, now))
  const reported = incidents.filter((each) => !isChecked(each)).map((each) => spanOf(each, now))
  const times = [...checked, ...reported].flatMap(({ from, to }) => [from, to]).toSorted((a, b) => a - b)
  const covers = (spans: readonly Span[], at: number): boolean =>
    spans.some(({ from, to }) => from <= at && at < to)
  return times.flatMap((from, index) => {
    const to = times[index + 1] ?? from
    return to > from && covers(reported, from) && !covers(checked, from) ? [{ from, to }] : []
  })
}

const lengthWithin = (spans: readonly Span[], day: Span): number =>
  spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, day.to) - Math.max(from, day.from)), 0)

const dateOf = (time: Date): string => time.toISOString().slice(0, 10)
