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
  const { created_at, started_at, completed_at, cancelled_at, external_id = null, ...rest } = input
  checkEnds(input, input.status)
  const times = {
    created_at: dateOf(created_at),
    started_at: dateOf(started_at),
    completed_at: dateOf(completed_at),
    cancelled_at: dateOf(cancelled_at),
  }
  if (times.created_at) checkOrder(times.created_at, times)
  return { ...rest, external_id, ...times, at: reachedAt(input.status, times) ?? now }
}

interface TicketTimes {
  created_at?: Date | null | undefined
  started_at?: Date | null | undefined
  completed_at?: Date | null | undefined
  cancelled_at?: Date | null | undefined
}

/** When a ticket got its status, as far as its times say so: one that is imported did not get it now. */
function reachedAt(status: TicketStatus, times: TicketTimes): Date | null | undefined {
  const of = {
    open: 'created_at',
    in_progress: 'started_at',
    done: 'completed_at',
    cancelled: 'cancelled_at',
  }
  return times[of[status] as keyof TicketTimes]
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
    cancelled_at: status === 'cancelled' ? (report.cancelled_at ?? at) : null,
    last_activity_at: at,
    source: report.source,
    external_id: report.external_id,
    agent_id: null,
    run_id: null,
    run_status: null,
    run_result: null,
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
    ...endOf(before, report, at),
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
function endOf(
  before: TicketRow,
  { status, completed_at, cancelled_at }: TicketTimes & { status: TicketStatus },
  at: Date,
) {
  return {
    completed_at: status === 'done' ? (completed_at ?? before.completed_at ?? at) : null,
    cancelled_at: status === 'cancelled' ? (cancelled_at ?? before.cancelled_at ?? at) : null,
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
  const { started_at, completed_at, cancelled_at, ...rest } = change
  const status = change.status ?? before.status
  checkEnds(change, status)
  const started = dateOf(started_at)
  const endTimes = { completed_at: dateOf(completed_at), cancelled_at: dateOf(cancelled_at) }
  checkOrder(before.created_at, { started_at: started, ...endTimes })
  // A clock of another system may be ahead of ours.
  const at = latest(now, before.created_at)
  return {
    ...rest,
    started_at: started === undefined ? startOf(before, status, undefined, at) : started,
    ...endOf(before, { status, ...endTimes }, at),
    last_activity_at: latest(at, before.last_activity_at),
    ...(status !== before.status && { status_at: latest(at, before.status_at) }),
  }
}

const ends = { completed_at: 'done', cancelled_at: 'cancelled' } as const

/** The time of an end needs its status, and an end its time. */
function checkEnds(given: Pick<TicketChange, keyof typeof ends>, status: TicketStatus): void {
  for (const [field, needed] of Object.entries(ends) as [keyof typeof ends, TicketStatus][]) {
    if (given[field] && status !== needed) throw invalidField(field, `needs the status ${needed}`)
    if (given[field] === null && status === needed)
      throw invalidField(field, `is needed with the status ${needed}`)
  }
}

function checkOrder(created: Date, times: TicketTimes): void {
  for (const field of ['started_at', 'completed_at', 'cancelled_at'] as const) {
    const time = times[field]
    if (time && time < created) throw invalidField(field, 'must not be before created_at')
  }
}
