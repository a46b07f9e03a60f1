import { cutRequest } from '#sql/contract'
import type { RunRow } from './run-store.ts'
import { usageOf } from './recorder.ts'
import type { Run } from './shapes.ts'

/** Field by field, so that neither the conversation nor a column added later ends up in a response. */
export function toRun(row: RunRow): Run {
  return {
    run_id: row.id,
    agent_id: row.agent_id,
    agent_version: row.agent_version,
    group_id: row.group_id,
    request: row.request,
    status: row.status,
    waiting_for: row.waiting_for,
    response: row.response,
    error: row.error,
    workflow: row.workflow,
    tool_calls: row.tool_calls,
    usage: usageOf(Number(row.input_tokens), Number(row.output_tokens)),
    cost: row.cost,
    steps: row.steps,
    limits: row.limits,
    started_by: row.started_by_name,
    asked_by: {
      user: row.asked_user,
      agent_id: row.agent_id,
      agent_version: row.agent_version,
      run_id: row.id,
      request: cutRequest(row.request),
    },
    parent_run_id: row.parent_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
