import { sql } from 'kysely'
import type { Db } from '../record-store.ts'
import type { ServiceState } from '../shapes/services.ts'
import type { StatusPageInput } from '../shapes/status-page.ts'

export interface PageRow {
  group_id: string
  slug: string
  title: string
  description: string
  is_enabled: boolean
  updated_at: Date
}

const columns = sql`group_id, slug, title, description, is_enabled, updated_at`

export async function findPage(db: Db, groupId: string): Promise<PageRow | undefined> {
  const { rows } = await sql<PageRow>`
    select ${columns} from records.status_pages where group_id = ${groupId}`.execute(db)
  return rows[0]
}

export async function findEnabledPage(db: Db, slug: string): Promise<PageRow | undefined> {
  const { rows } = await sql<PageRow>`
    select ${columns} from records.status_pages where slug = ${slug} and is_enabled`.execute(db)
  return rows[0]
}

export async function savePage(db: Db, groupId: string, input: StatusPageInput): Promise<PageRow> {
  const { slug, title, description, is_enabled } = input
  const { rows } = await sql<PageRow>`
    insert into records.status_pages (group_id, slug, title, description, is_enabled)
    values (${groupId}, ${slug}, ${title}, ${description}, ${is_enabled})
    on conflict (group_id) do update set slug = excluded.slug, title = excluded.title,
      description = excluded.description, is_enabled = excluded.is_enabled, updated_at = now()
    returning ${columns}`.execute(db)
  if (!rows[0]) throw new Error('the status page was not saved')
  return rows[0]
}

export interface PublicServiceRow {
  id: string
  name: string
  title: string
  description: string
  state: ServiceState
  state_since: Date
}

/** More services than a page can show are left out. */
export async function listPublicServices(db: Db, groupId: string): Promise<PublicServiceRow[]> {
  const { rows } = await sql<PublicServiceRow>`
    select id, name, title, description, state, state_since from records.services
    where group_id = ${groupId} and is_public order by title, name limit 200`.execute(db)
  return rows
}

export interface DayRow {
  service_id: string
  date: string
  ok_seconds: number
  failed_seconds: number
}

/** Of days that an earlier release counted the seconds are what the interval of now makes of the counts. */
export async function listDays(db: Db, serviceIds: readonly string[], days: number): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select service_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as date,
      coalesce(ok_seconds, ok_count::bigint * interval_s)::float8 as ok_seconds,
      coalesce(failed_seconds, failed_count::bigint * interval_s)::float8 as failed_seconds
    from records.health_rollups join records.services on services.id = service_id
    where service_id = any(${serviceIds}::uuid[]) and resolution = 'day'
      and at > now() - make_interval(days => ${days})`.execute(db)
  return rows
}

export interface PublicIncidentRow {
  service_id: string
  opened_at: Date
  closed_at: Date | null
  source: string
}

export async function listPublicIncidents(
  db: Db,
  serviceIds: readonly string[],
  days: number,
): Promise<PublicIncidentRow[]> {
  const { rows } = await sql<PublicIncidentRow>`
    select service_id, opened_at, closed_at, source from records.incidents
    where service_id = any(${serviceIds}::uuid[])
      and (closed_at is null or closed_at > now() - make_interval(days => ${days}))
    order by opened_at desc limit 1000`.execute(db)
  return rows
}

export interface PublicWindowRow {
  service_id: string
  starts_at: Date
  ends_at: Date
  note: string
}

export async function listPublicWindows(db: Db, serviceIds: readonly string[]): Promise<PublicWindowRow[]> {
  const { rows } = await sql<PublicWindowRow>`
    select service_id, starts_at, ends_at, note from records.maintenance_windows
    where service_id = any(${serviceIds}::uuid[]) and ends_at > now() order by starts_at limit 50`.execute(db)
  return rows
}
