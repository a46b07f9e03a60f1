import { sql, type RawBuilder } from 'kysely'
import { invalidField, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { newRecordId } from '../record-id.ts'
import {
  cursorAt,
  equals,
  pageOf,
  readCursor,
  within,
  type Db,
  type Page,
  type RecordTable,
  type Stored,
} from '../record-store.ts'
import type { Incident, IncidentChange, IncidentQuery } from '../shapes/services.ts'
import { earliest } from '../times.ts'
import { upsertRecord } from '../upsert.ts'
import type { IncidentReport, Upserted } from '../writer.ts'

export type IncidentRow = Stored<Incident>
type BareIncident = Omit<IncidentRow, 'service'>

const bareColumns = [
  ...(['id', 'group_id', 'service_id', 'opened_at', 'closed_at', 'cause', 'note', 'deployment_id'] as const),
  ...(['source', 'external_id', 'created_at', 'updated_at'] as const),
]
const table: RecordTable = { name: 'records.incidents', columns: bareColumns, sortBy: 'opened_at' }
const withService = sql`
  select ${sql.join(bareColumns.map((column) => sql.ref(`i.${column}`)))}, s.name as service
  from records.incidents i join records.services s on s.id = i.service_id`

export function createIncidents({ db, events }: { db: Db; events: Events }) {
  async function find(groupId: string, id: string): Promise<IncidentRow> {
    const { rows } = await sql<IncidentRow>`
      ${withService} where i.group_id = ${groupId} and i.id = ${id}`.execute(db)
    if (!rows[0]) throw notFound('The incident')
    return rows[0]
  }

  function tell(row: BareIncident, service: string, by: string | null, what: string, isOpen: boolean): void {
    events.emit('activity', {
      groupId: row.group_id,
      by,
      type: 'health_check',
      severity: isOpen ? 'error' : 'info',
      service,
      source: 'platform',
      title: `Incident of ${service} ${what}`,
      message: row.cause,
      metadata: { id: row.id, service_id: row.service_id, source: row.source },
    })
  }

  return {
    find,

    async list(groupId: string, query: IncidentQuery): Promise<Page<IncidentRow>> {
      const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
      const all: (RawBuilder<unknown> | undefined)[] = [
        sql`i.group_id = ${groupId}`,
        equals('s.name', query.service),
        query.status && (query.status === 'open' ? sql`i.closed_at is null` : sql`i.closed_at is not null`),
        ...within('i.opened_at', query),
        after && sql`(i.opened_at, i.id) < (${after.at}::timestamptz, ${after.id}::uuid)`,
      ]
      const given = all.filter((condition) => condition !== undefined)
      const { rows } = await sql<IncidentRow>`
        ${withService} where ${sql.join(given, sql` and `)}
        order by i.opened_at desc, i.id desc limit ${query.limit + 1}`.execute(db)
      return pageOf(rows, query.limit, ({ opened_at, id }) => cursorAt(opened_at, id))
    },

    async change(author: { groupId: string; userId: string | null }, id: string, change: IncidentChange) {
      const before = await find(author.groupId, id)
      const { note = before.note, deployment_id = before.deployment_id } = change
      const { rows } = await sql`
        update records.incidents set note = ${note}, deployment_id = ${deployment_id}, updated_at = now()
        where group_id = ${author.groupId} and id = ${id} and (${deployment_id}::uuid is null or exists (
          select from records.deployments d where d.id = ${deployment_id} and d.group_id = ${author.groupId}
        )) returning id`.execute(db)
      if (rows.length === 0) throw invalidField('deployment_id', 'must be a deployment of this group')
      tell(before, before.service, author.userId, 'changed', false)
      return find(author.groupId, id)
    },

    /** An incident that something else saw, such as an alert. */
    async report(groupId: string, report: IncidentReport): Promise<Upserted | null> {
      const { rows } = await sql<{ id: string }>`
        select id from records.services where group_id = ${groupId} and name = ${report.service}`.execute(db)
      const [service] = rows
      if (!service) return null
      const now = new Date()
      const created: BareIncident = {
        id: newRecordId(),
        group_id: groupId,
        service_id: service.id,
        opened_at: earliest(report.opened_at, report.closed_at),
        closed_at: report.closed_at,
        cause: report.cause,
        note: '',
        deployment_id: null,
        source: report.source,
        external_id: report.external_id,
        created_at: now,
        updated_at: now,
      }
      const { row, before, outcome } = await upsertRecord<BareIncident>(db, table, created, (known) => ({
        opened_at: earliest(known.opened_at, report.opened_at, report.closed_at),
        closed_at: known.closed_at ?? report.closed_at,
      }))
      await followIncidents(db, service.id)
      const isClosed = row.closed_at !== null
      if (outcome === 'created' || isClosed !== (before?.closed_at !== null))
        tell(row, report.service, null, isClosed ? 'closed' : 'opened', !isClosed)
      return { id: row.id, outcome }
    },
  }
}

/** The state of a service that nothing checks follows its incidents. */
async function followIncidents(db: Db, serviceId: string): Promise<void> {
  await sql`
    update records.services s set state = next.state, state_since = now()
    from (
      select case when exists (
        select from records.incidents i where i.service_id = ${serviceId} and i.closed_at is null
      ) then 'down' else 'up' end as state
    ) as next
    where s.id = ${serviceId} and s.url is null and s.state <> next.state`.execute(db)
}
