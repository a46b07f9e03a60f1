import { sql, type RawBuilder } from 'kysely'
import { invalidField, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { olderThan, placeCursor, readPlace } from '#kernel/paging'
import { newId } from '#kernel/uuid'
import type { Author } from '../record-kind.ts'
import { endPage, withinPage } from '../page-bytes.ts'
import {
  deleteRecord,
  equals,
  insertRecord,
  lockRecord,
  updateRecord,
  within,
  type Db,
  type Page,
  type RecordTable,
  type Stored,
} from '../record-store.ts'
import type { Incident, IncidentChange, IncidentInput, IncidentQuery } from '../shapes/services.ts'
import { dateOf, earliest } from '../times.ts'
import { upsertRecord } from '../upsert.ts'
import type { IncidentReport, Upserted } from '../writer.ts'
import { changedTimes, checkRemovable, checkTimes, manual } from './incident-change.ts'

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

  /** At the time of what happened: an incident that is reported later does not look new. */
  function tell(row: BareIncident, service: string, by: string | null, what: string, isOpen: boolean): void {
    const at =
      what === 'opened' ? row.opened_at : what === 'closed' || what === 'added' ? row.closed_at : null
    events.emit(
      'activity',
      {
        groupId: row.group_id,
        by,
        type: 'health_check',
        severity: isOpen ? 'error' : 'info',
        service,
        source: 'platform',
        title: `Incident of ${service} ${what}`,
        message: row.cause,
        metadata: { id: row.id, service_id: row.service_id, source: row.source },
      },
      at ?? undefined,
    )
  }

  async function serviceNamed(groupId: string, name: string): Promise<{ id: string } | undefined> {
    const { rows } = await sql<{ id: string }>`
      select id from records.services where group_id = ${groupId} and name = ${name}`.execute(db)
    return rows[0]
  }

  async function checkDeployment(groupId: string, id: string | null | undefined): Promise<void> {
    if (!id) return
    const { rows } = await sql`
      select from records.deployments where group_id = ${groupId} and id = ${id}`.execute(db)
    if (rows.length === 0) throw invalidField('deployment_id', 'must be a deployment of this group')
  }

  return {
    find,

    async list(groupId: string, query: IncidentQuery): Promise<Page<IncidentRow>> {
      const last = readPlace(query.cursor)
      const all: (RawBuilder<unknown> | undefined)[] = [
        sql`i.group_id = ${groupId}`,
        equals('s.name', query.service),
        query.status && (query.status === 'open' ? sql`i.closed_at is null` : sql`i.closed_at is not null`),
        ...within('i.opened_at', query),
        last && olderThan('i.opened_at', 'i.id', last),
      ]
      const given = all.filter((condition) => condition !== undefined)
      const newest = sql`
        ${withService} where ${sql.join(given, sql` and `)}
        order by i.opened_at desc, i.id desc limit ${query.limit + 1}`
      const { rows } = await sql<IncidentRow & { page_goes_on: boolean }>`
        ${withinPage(newest, [...bareColumns, 'service'], sql`opened_at desc, id desc`)}`.execute(db)
      return endPage<IncidentRow>(rows, query.limit, ({ opened_at, id }) => placeCursor(opened_at, id))
    },

    /** One that a person adds. */
    async create(author: Author, input: IncidentInput): Promise<IncidentRow> {
      const service = await serviceNamed(author.groupId, input.service)
      if (!service) throw invalidField('service', 'must be a service of this group')
      await checkDeployment(author.groupId, input.deployment_id)
      const now = new Date()
      const times = checkTimes(
        { opened_at: dateOf(input.opened_at) ?? now, closed_at: dateOf(input.closed_at) ?? null },
        now,
      )
      const { cause, note = '', deployment_id = null } = input
      const reported = newIncident(author.groupId, service.id, { cause, source: manual, external_id: null })
      const row = await insertRecord<BareIncident>(db, table, { ...reported, ...times, note, deployment_id })
      if (!row) throw new Error('an incident has an ID that is taken')
      await followIncidents(db, service.id)
      tell(
        row,
        input.service,
        author.userId,
        row.closed_at === null ? 'opened' : 'added',
        row.closed_at === null,
      )
      return find(author.groupId, row.id)
    },

    async change(author: Author, id: string, change: IncidentChange): Promise<IncidentRow> {
      await checkDeployment(author.groupId, change.deployment_id)
      const { groupId } = author
      const before = await db.transaction().execute(async (transaction) => {
        const match = sql`group_id = ${groupId} and id = ${id}`
        const found = await lockRecord<BareIncident>(transaction, table, match)
        if (!found) throw notFound('The incident')
        const { cause, note, deployment_id } = change
        const times = changedTimes(found, change, new Date())
        await updateRecord<BareIncident>(transaction, table, id, { cause, note, deployment_id, ...times })
        return found
      })
      const row = await find(groupId, id)
      const [wasOpen, isOpen] = [before.closed_at === null, row.closed_at === null]
      if (wasOpen !== isOpen) await followIncidents(db, row.service_id)
      const what = wasOpen === isOpen ? 'changed' : isOpen ? 'opened' : 'closed'
      tell(row, row.service, author.userId, what, what === 'opened')
      return row
    },

    async remove(author: Author, id: string): Promise<void> {
      const row = await find(author.groupId, id)
      checkRemovable(row)
      await deleteRecord(db, table, author.groupId, id)
      await followIncidents(db, row.service_id)
      tell(row, row.service, author.userId, 'deleted', false)
    },

    /** An incident that something else saw, such as an alert. */
    async report(groupId: string, report: IncidentReport): Promise<Upserted | null> {
      const service = await serviceNamed(groupId, report.service)
      if (!service) return null
      const created: BareIncident = {
        ...newIncident(groupId, service.id, report),
        opened_at: earliest(report.opened_at, report.closed_at),
        closed_at: report.closed_at,
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

type Reported = Pick<BareIncident, 'cause' | 'source' | 'external_id'>

function newIncident(groupId: string, serviceId: string, { cause, source, external_id }: Reported) {
  const now = new Date()
  return {
    id: newId(),
    group_id: groupId,
    service_id: serviceId,
    cause,
    note: '',
    deployment_id: null,
    source,
    external_id,
    created_at: now,
    updated_at: now,
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
