import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { messageOf } from '#kernel/errors'
import { tellRun } from '../schedules/notify.ts'
import { mask } from '#kernel/mask'
import type { AgentTables } from '../tables.ts'
import type { RunDeps } from './deps.ts'
import { appendEvents, type NewEvent } from './event-store.ts'
import type { PendingCall } from './protocol.ts'
import { maskedObject, Recorder } from './recorder.ts'
import { RunFault } from './run-fault.ts'
import { listRunKeys, moveRun, requestCancelOfAsked, type RunChange, type RunRow } from './run-store.ts'
import type { RunStatus, WaitingFor, Workflow } from '../shapes/run.ts'
import type { Outcome, Supervised } from './supervise.ts'
import { readSpending } from './spending.ts'
import { announceEnd, tellTicket } from './ticket.ts'
import { toRun } from './to-run.ts'
import { requestOf, turnOf } from './turns.ts'

/**
 * Stores how a process of a run ended: the run ends with it, or waits for a person. Undefined: it was ended by somebody
 * else.
 */
export async function finish(
  deps: RunDeps,
  run: RunRow,
  supervised: Supervised,
): Promise<RunRow | undefined> {
  const { recorder, activeMs } = supervised
  const outcome = await checked(deps, run, supervised)
  const progress = recorder.progress()
  const from = { id: run.id, status: run.status, ...(run.process_id && { processId: run.process_id }) }
  if (outcome.status === 'waiting') {
    for (const { id } of outcome.memory.pending) recorder.toolWaits(id)
    return moved(deps, from, 'waiting', {
      ...progress,
      tool_calls: JSON.stringify(recorder.toolCalls),
      active_ms: activeMs,
      waiting_for: JSON.stringify(outcome.waitingFor),
      memory: JSON.stringify(outcome.memory),
      decision: null,
    })
  }
  recorder.closeToolCalls()
  const response = outcome.status === 'completed' ? outcome.response : null
  const error = outcome.status === 'failed' ? outcome.error : null
  const ended: RunRow = {
    ...run,
    ...progress,
    input_tokens: String(progress.input_tokens),
    output_tokens: String(progress.output_tokens),
    status: outcome.status,
    response,
    error,
    waiting_for: null,
  }
  const { workflow, devlogIds } = await settled(deps, ended)
  return moved(
    deps,
    from,
    outcome.status,
    {
      ...progress,
      tool_calls: JSON.stringify(recorder.toolCalls),
      active_ms: activeMs,
      response,
      error: error && JSON.stringify(error),
      workflow: workflow && JSON.stringify(workflow),
    },
    [
      { type: 'usage', usage: toRun(ended).usage, cost: progress.cost, steps: progress.steps },
      ...(workflow ? [{ type: 'workflow', workflow } as const] : []),
      ...devlogIds.map((devlog_id) => ({ type: 'devlog', devlog_id }) as const),
      ...(error ? [{ type: 'error', ...error } as const] : []),
    ],
  )
}

/** Ends a run that no process has: it waited, or its process died. */
export async function finishIdle(
  deps: RunDeps,
  run: RunRow,
  outcome: Exclude<Outcome, { status: 'waiting' }>,
): Promise<RunRow | undefined> {
  const recorder = new Recorder(deps.database.tables(), run, deps.processId)
  recorder.spending = await readSpending(deps.readCalls, run)
  return finish(deps, run, { outcome, recorder, keyId: undefined, activeMs: Number(run.active_ms) })
}

type Checked =
  | Exclude<Outcome, { status: 'waiting' }>
  | (Outcome & { status: 'waiting'; waitingFor: WaitingFor })

/** What a process says it waits for is looked up; a process that lies has failed. */
async function checked(deps: RunDeps, run: RunRow, { outcome, keyId }: Supervised): Promise<Checked> {
  if (outcome.status !== 'waiting') return outcome
  const [first] = outcome.memory.pending
  try {
    if (!first) throw unknownWait()
    return { ...outcome, waitingFor: await waitingFor(deps, run, first, keyId) }
  } catch (error) {
    if (!(error instanceof RunFault)) throw error
    return { status: 'failed', error: { code: error.code, message: error.message } }
  }
}

async function waitingFor(
  deps: RunDeps,
  run: RunRow,
  call: PendingCall,
  keyId: string | undefined,
): Promise<WaitingFor> {
  const wait = { tool_call_id: call.id, wait_id: randomUUID() }
  if (call.kind === 'question') return { kind: 'question', ...wait, question: mask(call.question) }
  if (call.kind === 'tool')
    return { kind: 'tool', ...wait, tool: call.name, arguments: maskedObject(call.arguments) }
  const [approval] = await deps.approvalStates([call.approval_id])
  const keys = new Set([keyId, ...(await listRunKeys(deps.database.tables(), run.id))])
  if (!approval || approval.groupId !== run.group_id || !keys.has(approval.keyId ?? undefined))
    throw unknownWait()
  const address = deps.config.PUBLIC_URL ?? deps.address()
  return {
    kind: 'approval',
    ...wait,
    approval_id: approval.id,
    link: `${address}/sql/approvals/${approval.id}`,
    sql: approval.sql,
    database: approval.database,
    expires_at: approval.expiresAt.toISOString(),
  }
}

const unknownWait = (): RunFault =>
  new RunFault('process_output', 'The process of the run waits for something that does not exist.')

/** A workflow that cannot be checked does not keep the run from ending. */
async function settled(
  deps: RunDeps,
  run: RunRow,
): Promise<{ workflow: Workflow | null; devlogIds: readonly string[] }> {
  try {
    const { id, agent_id, group_id } = run
    const turn = turnOf(run)
    const key_ids = await listRunKeys(deps.database.tables(), id, turn)
    return await deps.settle({ run_id: id, agent_id, group_id, turn, request: requestOf(run), key_ids })
  } catch (error) {
    deps.log.error({ error: messageOf(error), run_id: run.id }, 'the workflow of a run could not be checked')
    return { workflow: null, devlogIds: [] }
  }
}

/** The new status and its events, in one transaction. Undefined: the run has another status by now. */
export async function moved(
  deps: Pick<RunDeps, 'database' | 'events' | 'endApprovals' | 'tickets' | 'notify' | 'log'>,
  from: Parameters<typeof moveRun>[1],
  status: RunStatus,
  change: RunChange,
  events: readonly NewEvent[] = [],
): Promise<RunRow | undefined> {
  const db: Kysely<AgentTables> = deps.database.tables()
  const row = await db.transaction().execute(async (transaction) => {
    const after = await moveRun(transaction, from, status, change)
    if (after) await appendEvents(transaction, from.id, [...events, ...statusEvents(after)])
    if (after) await tellTicket(deps, transaction, after)
    // What it asked others to do is of no use to anybody any more.
    if (status === 'cancelled' || status === 'failed') await requestCancelOfAsked(transaction, from.id)
    return after
  })
  const ending = endings[status]
  if (row && ending !== undefined) await deps.endApprovals(row.id, ending)
  if (row) announce(deps, row)
  if (row) announceEnd(deps, row)
  if (row) await tellRun(deps, row, from.status)
  return row
}

/** Why approvals that are still open end with their run. */
const endings: Partial<Record<RunStatus, string>> = {
  completed: 'The run that asked for it has ended.',
  failed: 'The run that asked for it failed.',
  cancelled: 'The run that asked for it was cancelled.',
}

function statusEvents({ status, waiting_for }: RunRow): NewEvent[] {
  const event: NewEvent = { type: 'status', status, waiting_for }
  return waiting_for?.kind === 'approval' ? [{ type: 'approval', waiting_for }, event] : [event]
}

/** What people should know without watching. */
function announce({ events }: Pick<RunDeps, 'events'>, row: RunRow): void {
  if (row.status !== 'failed' && row.status !== 'waiting') return
  const hasFailed = row.status === 'failed'
  events.emit('activity', {
    groupId: row.group_id,
    by: row.started_by,
    type: hasFailed ? 'error' : 'config',
    severity: hasFailed ? 'error' : 'warning',
    service: null,
    source: 'agents',
    title: hasFailed ? `Run of ${row.agent_id} failed` : `${row.agent_id} waits for a person`,
    message: row.error?.message ?? '',
    metadata: { run_id: row.id, agent_id: row.agent_id, ...(row.error && { code: row.error.code }) },
  })
}
