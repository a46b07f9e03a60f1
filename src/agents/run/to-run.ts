import { rowJson } from '#kernel/rows'
import { cutRequest } from '#sql/contract'
import type { RunRow } from './run-store.ts'
import { usageOf } from './recorder.ts'
import type { Run } from '../shapes/run.ts'

/** Neither the conversation nor the process that runs it. */
const columns = [
  ...(['agent_id', 'agent_version', 'group_id', 'request', 'turns', 'ticket', 'schedule_id'] as const),
  ...(['status', 'waiting_for', 'response'] as const),
  ...(['error', 'workflow', 'tool_calls', 'cost', 'steps', 'limits'] as const),
  ...(['created_at', 'updated_at', 'finished_at'] as const),
]

export function toRun(row: RunRow): Run {
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
