import { rowJson } from '#kernel/rows'
import { cutRequest } from '#sql/contract'
import { usageOf } from './recorder.ts'
import type { RunRow } from './run-store.ts'
import type { Run } from '../shapes/run.ts'

const columns = [
  ...(['agent_id', 'agent_version', 'group_id', 'request', 'turns', 'ticket', 'schedule_id'] as const),
  ...(['status', 'waiting_for', 'response'] as const),
  ...(['error', 'workflow', 'tool_calls', 'cost', 'steps', 'limits'] as const),
  ...(['created_at', 'updated_at', 'finished_at'] as const),
] as const

/** Neither the conversation, which may be 16 MiB, nor the process that runs it. */
export const shownColumns = [
  ...columns,
  ...(['id', 'input_tokens', 'output_tokens', 'started_by_name', 'asked_user', 'parent_id'] as const),
] as const
export type ShownRun = Pick<RunRow, (typeof shownColumns)[number]>

export function toRun(row: ShownRun): Run {
  const { id, agent_id, agent_version } = row
  return {
    ...rowJson(row, columns),
    run_id: id,
    usage: usageOf(Number(row.input_tokens), Number(row.output_tokens)),
    started_by: row.started_by_name,
    asked_by: {
      ...{ user: row.asked_user, agent_id, agent_version, run_id: id },
      request: cutRequest(row.request),
    },
    parent_run_id: row.parent_id,
  }
}
