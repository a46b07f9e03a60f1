import { messageOf } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { RunRow } from '../run/run-store.ts'
import type { ScheduleRow } from './schedule-store.ts'

/** Nobody waits for a run that a schedule started, so people are notified where one needs them. */
export interface ScheduleNotice {
  groupId: string
  kind: 'run_failed' | 'run_waiting'
  state: 'firing' | 'resolved'
  title: string
  text: string
  /** A path of the dashboard. */
  path: string
  /** The same thing again. */
  key: string
  data: Record<string, unknown>
}

export type Notify = (notice: ScheduleNotice) => Promise<void>

interface NotifyDeps {
  notify: Notify
  log: Log
}

/** A run that a schedule started has failed, waits for a person, or no longer does. */
export async function tellRun(
  deps: NotifyDeps,
  { id, group_id, agent_id, schedule_id, status, error }: RunRow,
  before: RunRow['status'],
): Promise<void> {
  if (schedule_id === null) return
  const about = { groupId: group_id, path: `/agents/runs/${id}`, data: { run_id: id, agent_id, schedule_id } }
  const waiting = { ...about, kind: 'run_waiting' as const, key: `schedule:${id}:waiting` }
  if (status === 'waiting')
    await send(deps, {
      ...{ ...waiting, state: 'firing' },
      title: `${agent_id} waits for a person in a scheduled run`,
      text: 'The run continues once somebody has decided.',
    })
  else if (before === 'waiting')
    await send(deps, {
      ...{ ...waiting, state: 'resolved' },
      title: `${agent_id} no longer waits in a scheduled run`,
      text: '',
    })
  if (status === 'failed')
    await send(deps, {
      ...{ ...about, kind: 'run_failed', state: 'firing', key: `schedule:${id}:failed` },
      title: `A scheduled run of ${agent_id} failed`,
      text: error?.message ?? '',
    })
}

/** A time of a schedule started no run. */
export async function tellStopped(
  deps: NotifyDeps & { events: Events },
  { id, group_id, agent_id, next_at }: ScheduleRow,
  why: string,
): Promise<void> {
  const data = { schedule_id: id, agent_id }
  deps.events.emit('activity', {
    ...{ groupId: group_id, by: null, type: 'error', severity: 'warning', service: null, source: 'agents' },
    ...{ title: `A schedule of ${agent_id} started no run`, message: why, metadata: data },
  })
  await send(deps, {
    ...{ groupId: group_id, kind: 'run_failed', state: 'firing', data },
    title: `A schedule of ${agent_id} started no run`,
    text: why,
    path: `/agents/${agent_id}`,
    key: `schedule:${id}:${next_at?.toISOString() ?? ''}`,
  })
}

/** What cannot be sent does not keep the run from what it does. */
async function send({ notify, log }: NotifyDeps, notice: ScheduleNotice): Promise<void> {
  try {
    await notify(notice)
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'nobody could be notified of a scheduled run')
  }
}
