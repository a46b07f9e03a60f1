import { sql } from 'kysely'
import {
  createRecordKind,
  type Action,
  type RecordActivity,
  type RecordDeps,
  type RecordKind,
} from '../record-kind.ts'
import { newId } from '#kernel/uuid'
import { equals, insertRecord, isOneOf, within, type RecordTable } from '../record-store.ts'
import { ticket, type TicketChange, type TicketInput, type TicketQuery } from '../shapes/tickets.ts'
import { upsertRecord } from '../upsert.ts'
import type { TicketReport, Upserted } from '../writer.ts'
import {
  applyChange,
  fromInput,
  fromReport,
  mergeReport,
  type AnyTicketReport,
  type TicketRow,
} from './merge.ts'

const table: RecordTable = {
  name: 'records.tickets',
  columns: [...Object.keys(ticket.shape), 'status_at'],
  sortBy: 'created_at',
}

export interface Tickets extends RecordKind<TicketRow, TicketInput, TicketChange, TicketQuery> {
  report(groupId: string, report: TicketReport): Promise<Upserted>
}

export function createTickets(deps: RecordDeps): Tickets {
  const { db } = deps
  const kind = createRecordKind<TicketRow, TicketChange, TicketQuery>(deps, {
    table,
    what: 'The ticket',
    conditions: (query) => [
      isOneOf('status', query.status),
      equals('priority', query.priority),
      equals('assignee', query.assignee),
      equals('initiative_id', query.initiative_id),
      ...within('created_at', query),
      ...within('completed_at', { since: query.completed_since, until: query.completed_until }),
      query.stale_days === undefined ? undefined : isStale(query.stale_days),
    ],
    apply: (change, before) => applyChange(change, before, new Date()),
    activity: describe,
    happenedAt: ({ status_at }) => status_at,
  })

  async function write(groupId: string, by: string | null, report: AnyTicketReport) {
    const created = fromReport(report, { id: newId(), group_id: groupId })
    if (created.external_id === null) {
      const row = await insertRecord<TicketRow>(db, table, created)
      if (!row) throw new Error('a ticket has an ID that is taken')
      kind.tell(row, 'created', by)
      return { row, outcome: 'created' as const }
    }
    const written = await upsertRecord<TicketRow>(db, table, created, (before) => mergeReport(before, report))
    if (written.outcome !== 'unchanged') kind.tell(written.row, written.outcome, by)
    return written
  }

  return {
    ...kind,
    async create(author, { group_id: _chosen, ...input }) {
      const { row, outcome } = await write(author.groupId, author.userId, fromInput(input, new Date()))
      return { row, isNew: outcome === 'created' }
    },
    async report(groupId, report) {
      const { row, outcome } = await write(groupId, null, report)
      return { id: row.id, outcome }
    },
  }
}

const isStale = (days: number) =>
  sql`status in ('open', 'in_progress') and last_activity_at < now() - ${days}::int * interval '1 day'`

function describe(row: TicketRow, action: Action): RecordActivity {
  const { id, title, status, priority, assignee, url } = row
  return {
    type: 'ticket',
    severity: 'info',
    service: null,
    source: 'platform',
    title:
      action === 'changed' ? `Ticket ${status.replace('_', ' ')}: ${title}` : `Ticket ${action}: ${title}`,
    message: assignee === null ? '' : `Assigned to ${assignee}`,
    metadata: { id, action, status, priority, assignee, url, source: row.source },
  }
}
