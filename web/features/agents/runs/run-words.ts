import type { Run, RunStatus, ToolCallStatus } from '#agents/contract'
import type { Tone } from '../../../ui/badge.tsx'
import type { Status } from '../../../ui/status-dot.tsx'

export const runNames: Record<RunStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export const runDots: Record<RunStatus, Status> = {
  queued: 'off',
  running: 'warning',
  waiting: 'warning',
  completed: 'ok',
  failed: 'error',
  cancelled: 'off',
}

export const callNames: Record<ToolCallStatus, string> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  waiting: 'waiting',
  skipped: 'not run',
}

export const callTones: Record<ToolCallStatus, Tone> = {
  running: 'info',
  done: 'neutral',
  failed: 'danger',
  denied: 'danger',
  waiting: 'accent',
  skipped: 'neutral',
}

/** Whether nothing more can happen. */
export const hasEnded = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** The time from the request to the end, or until now. */
export const durationOf = (
  { created_at, finished_at }: { created_at: string; finished_at: string | null },
  now: number,
): number => Math.max(0, (finished_at === null ? now : Date.parse(finished_at)) - Date.parse(created_at))

/** The ticket, or the first line of the request, for titles and lists. */
export function titleOf({ request, ticket }: Pick<Run, 'request' | 'ticket'>): string {
  if (ticket) return `Ticket: ${ticket.title}`
  const line = request.trim().split('\n', 1)[0] ?? ''
  return line.length > 120 ? `${line.slice(0, 120).trimEnd()}…` : line
}
