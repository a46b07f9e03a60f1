import { invalidField } from '#kernel/errors'
import type { Stored, Values } from '../record-store.ts'
import type { Ticket, TicketChange, TicketInput, TicketStatus } from '../shapes/tickets.ts'
import { dateOf, earliest, latest } from '../times.ts'
import { isNewer } from '../upsert.ts'
import type { TicketReport } from '../writer.ts'

export type TicketRow = Stored<Ticket> & { status_at: Date }
/** A report without an ID where it comes from is always a new ticket. */
export type AnyTicketReport = Omit<TicketReport, 'external_id'> & { external_id: string | null }

const order: readonly TicketStatus[] = ['open', 'in_progress', 'cancelled', 'done']

export function fromInput(input: TicketInput, now: Date): AnyTicketReport {
  const { created_at, started_at, completed_at, external_id = null, ...rest } = input
  checkCompletion(completed_at, input.status)
  const [created, started, completed] = [dateOf(created_at), dateOf(started_at), dateOf(completed_at)]
  if (created) checkOrder(created, started, completed)
  const at = completed ?? (input.status === 'open' ? created : undefined) ?? now
  return { ...rest, external_id, at, created_at: created, started_at: started, completed_at: completed }
}

export function fromReport(report: AnyTicketReport, ids: { id: string; group_id: string }): TicketRow {
  const { status, at } = report
  const completed = status === 'done' ? (report.completed_at ?? at) : null
  const started = report.started_at ?? (status === 'in_progress' ? at : null)
  return {
    ...ids,
    title: report.title,
    description: report.description ?? '',
    status,
    priority: report.priority ?? null,
    assignee: report.assignee ?? null,
    initiative_id: report.initiative_id ?? null,
    url: report.url ?? null,
    created_at: report.created_at ?? earliest(at, started, completed),
    started_at: started,
    completed_at: completed,
    cancelled_at: status === 'cancelled' ? at : null,
    last_activity_at: at,
    source: report.source,
    external_id: report.external_id,
    status_at: at,
    updated_at: new Date(),
  }
}

/** What a report changes. An older one only completes what is known. */
export function mergeReport(before: TicketRow, report: AnyTicketReport): Values<TicketRow> {
  const { priority, assignee, initiative_id, url, at } = report
  const details = { priority, assignee, initiative_id, url }
  const always = {
    created_at: earliest(before.created_at, report.created_at),
    started_at: startOf(before, report.status, report.started_at, at),
    last_activity_at: latest(before.last_activity_at, at),
  }
  if (!isNewer(report, { status: before.status, at: before.status_at }, order))
    return { ...missingIn(before, details), ...always, ...laterEnd(before, report) }
  return {
    ...details,
    ...always,
    title: report.title,
    description: report.description,
    status: report.status,
    status_at: at,
    ...endOf(before, report.status, report.completed_at, at),
  }
}

function missingIn(before: TicketRow, details: Values<TicketRow>): Values<TicketRow> {
  const missing = Object.entries(details).filter(([name]) => before[name as keyof TicketRow] === null)
  return Object.fromEntries(missing)
}

function startOf(
  before: TicketRow,
  status: TicketStatus,
  given: Date | null | undefined,
  at: Date,
): Date | null {
  const started = given ?? (status === 'in_progress' ? at : null)
  return before.started_at && started ? earliest(before.started_at, started) : (before.started_at ?? started)
}

/** A ticket that is opened again is not completed. */
function endOf(before: TicketRow, status: TicketStatus, completed: Date | null | undefined, at: Date) {
  return {
    completed_at: status === 'done' ? (completed ?? before.completed_at ?? at) : null,
    cancelled_at: status === 'cancelled' ? (before.cancelled_at ?? at) : null,
  }
}

/** An older report of another status, after the end that is known: the ticket was opened again, and ended later. */
function laterEnd(before: TicketRow, { status, at }: AnyTicketReport): Values<TicketRow> {
  if (status === before.status) return {}
  const { completed_at, cancelled_at, status_at } = before
  return {
    ...(completed_at && completed_at < at && { completed_at: status_at }),
    ...(cancelled_at && cancelled_at < at && { cancelled_at: status_at }),
  }
}

/** The columns that a change through the API sets. */
export function applyChange(change: TicketChange, before: TicketRow, now: Date): Values<TicketRow> {
  const { started_at, completed_at, ...rest } = change
  const status = change.status ?? before.status
  checkCompletion(completed_at, status)
  if (completed_at === null && status === 'done')
    throw invalidField('completed_at', 'is needed with the status done')
  const [started, completed] = [dateOf(started_at), dateOf(completed_at)]
  checkOrder(before.created_at, started, completed)
  // A clock of another system may be ahead of ours.
  const at = latest(now, before.created_at)
  return {
    ...rest,
    started_at: started === undefined ? startOf(before, status, undefined, at) : started,
    ...endOf(before, status, completed, at),
    last_activity_at: latest(at, before.last_activity_at),
    ...(status !== before.status && { status_at: latest(at, before.status_at) }),
  }
}

function checkCompletion(completed: string | null | undefined, status: TicketStatus): void {
  if (completed && status !== 'done') throw invalidField('completed_at', 'needs the status done')
}

function checkOrder(
  created: Date,
  started: Date | null | undefined,
  completed: Date | null | undefined,
): void {
  if (started && started < created) throw invalidField('started_at', 'must not be before created_at')
  if (completed && completed < created) throw invalidField('completed_at', 'must not be before created_at')
}
