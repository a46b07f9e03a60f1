import type { Kysely } from 'kysely'
import type { ApprovalState } from '#sql'
import type { AgentTables } from '../tables.ts'
import type { RunDeps } from './deps.ts'
import { moved } from './finish.ts'
import type { Decision } from './protocol.ts'
import { findAwaitingApproval, type RunRow, type WaitingRun } from './run-store.ts'

const batch = 500

/** Queues the runs whose approval was decided or expired. True: others still wait. */
export async function resumeDecided(deps: RunDeps): Promise<boolean> {
  const db: Kysely<AgentTables> = deps.database.tables()
  let waits = false
  let runs: WaitingRun[] = []
  // All of them: one that was decided must not wait until hundreds of others are.
  do {
    runs = await findAwaitingApproval(db, runs.at(-1)?.id, batch)
    if (await resumeThose(deps, runs)) waits = true
  } while (runs.length === batch)
  return waits
}

async function resumeThose(deps: RunDeps, runs: readonly WaitingRun[]): Promise<boolean> {
  if (runs.length === 0) return false
  const states = await deps.approvalStates(runs.flatMap((run) => approvalOf(run) ?? []))
  const byId = new Map(states.map((state) => [state.id, state]))
  let waits = false
  for (const run of runs) {
    const decision = decisionBy(byId.get(approvalOf(run) ?? ''))
    if (decision) await resume(deps, run, decision)
    else waits = true
  }
  return waits
}

/** Undefined: it does not wait for this any more. */
export async function resume(
  deps: Parameters<typeof moved>[0],
  run: WaitingRun,
  decision: Decision,
): Promise<RunRow | undefined> {
  if (!run.waiting_for) return undefined
  const from = { id: run.id, status: 'waiting', waitId: run.waiting_for.wait_id ?? null } as const
  return moved(deps, from, 'queued', { decision: JSON.stringify(decision), waiting_for: null })
}

const approvalOf = ({ waiting_for: wait }: WaitingRun): string | undefined =>
  wait?.kind === 'approval' ? wait.approval_id : undefined

/** Undefined: it is not decided. */
function decisionBy(state: ApprovalState | undefined): Decision | undefined {
  if (!state) return { outcome: 'denied', reason: 'the approval does not exist any more.' }
  const { id, decidedBy, note, endedReason } = state
  const why = note === null ? '.' : `: ${note}`
  const decisions: Record<ApprovalState['status'], Decision | undefined> = {
    pending: undefined,
    approved: { outcome: 'approved', approval_id: id },
    rejected: { outcome: 'denied', reason: `${decidedBy ?? 'A person'} rejected this statement${why}` },
    expired: {
      outcome: 'denied',
      reason: endedReason ?? 'nobody decided in time, and the approval expired.',
    },
    // An earlier process of the run used it.
    used: { outcome: 'answered', text: 'the statement was approved and has been run already.' },
  }
  return decisions[state.status]
}
