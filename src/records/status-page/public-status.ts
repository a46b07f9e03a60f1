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
  const nameOf = (id: string): string => names.get(id) ?? ''
  return {
    title: page.title,
    description: page.description,
    state: worstOf(services.map(({ state }) => state)),
    services: services.map(({ id, state_since, ...shown }) => ({
      ...shown,
      state_since: state_since.toISOString(),
      ...barsOf(
        days.filter((day) => day.service_id === id),
        incidents.filter((incident) => incident.service_id === id),
        now,
      ),
    })),
    incidents: incidents.slice(0, shownIncidents).map(({ service_id, opened_at, closed_at }) => ({
      service: nameOf(service_id),
      opened_at: opened_at.toISOString(),
      closed_at: closed_at && closed_at.toISOString(),
    })),
    maintenance: windows.map(({ service_id, starts_at, ends_at, note }) => ({
      service: nameOf(service_id),
      starts_at: starts_at.toISOString(),
      ends_at: ends_at.toISOString(),
      note,
    })),
    generated_at: now.toISOString(),
  }
}

/** From bad to good: what nobody knows is not shown as good. */
const badness: readonly ServiceState[] = ['down', 'unknown', 'maintenance', 'up']

function worstOf(states: readonly ServiceState[]): ServiceState {
  return states.length === 0 ? 'unknown' : (badness.find((state) => states.includes(state)) ?? 'unknown')
}

/** One bar per day (UTC), the oldest first; a day without checks has no uptime. */
function barsOf(rows: readonly DayRow[], incidents: readonly PublicIncidentRow[], now: Date) {
  const byDate = new Map(rows.map((row) => [row.date, row]))
  const dates = Array.from({ length: shownDays }, (_each, index) =>
    dateOf(new Date(now.getTime() - (shownDays - 1 - index) * dayMs)),
  )
  return {
    uptime: uptimeOf(dates.flatMap((date) => byDate.get(date) ?? [])),
    days: dates.map((date) => ({
      date,
      uptime: uptimeOf([byDate.get(date) ?? []].flat()),
      incidents: incidents.filter(({ opened_at }) => dateOf(opened_at) === date).length,
    })),
  }
}

const dateOf = (time: Date): string => time.toISOString().slice(0, 10)

function uptimeOf(rows: readonly DayRow[]): number | null {
  const ok = rows.reduce((sum, row) => sum + row.ok_count, 0)
  const all = rows.reduce((sum, row) => sum + row.ok_count + row.failed_count, 0)
  return all === 0 ? null : ok / all
}
