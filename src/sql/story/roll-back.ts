import { Fault, faults } from '#kernel/errors'
import type { DryRun, PendingApproval, RollbackBody, RolledBack, SqlEvidence } from '../contract.ts'
import { effectFacts, factsOf } from '../audit/facts.ts'
import { EffectChanged, type Evidence } from '../evidence/evidence.ts'
import type { RollbackCall } from '../migrate/migration.ts'
import type { MigrationRow } from '../migrate/migration-store.ts'
import { wayBackOf } from '../migrate/way-back.ts'
import { askForApproval } from './ask.ts'
import { ownerOf, type Caller } from './caller.ts'
import type { StoryDeps } from './deps.ts'
import { refuseFailure } from './dry-run.ts'
import { shownEvidence } from './evidence.ts'
import { withoutMasked } from './masked-text.ts'
import { otherEffect, paused } from './paused.ts'
import { attemptOf, nextStep, prepared, type CallBody, type Prepared } from './prepared.ts'
import { readTexts, shapesOf, writesInside } from './reading.ts'
import { recorded, type Done } from './recorded.ts'
import { verifyOf } from './verify.ts'

export type RollbackAnswer = RolledBack | DryRun | PendingApproval

type Ready = Prepared & { body: CallBody; row: MigrationRow; call: RollbackCall }

/** Takes a migration back by statements that the policy judges like those of any migration. */
export async function rollBack(
  deps: StoryDeps,
  caller: Caller,
  row: MigrationRow,
  { reason, approval_id, dry_run }: RollbackBody,
): Promise<RollbackAnswer> {
  const way = await wayBackOf(deps.runner, row)
  if ('reason' in way) throw new Fault(faults.conflict, way.reason)
  const kind = 'migrate'
  const { statements } = way
  const reading = await readTexts(deps.classifier, statements, kind, ownerOf(caller.executor))
  const body = { database: row.database, reason, agent_id: row.agent_id ?? undefined, approval_id, dry_run }
  const attempt = attemptOf(caller, body, { kind, text: statements.join(';\n'), reading })
  const texts = ['rollback', row.id, ...statements]
  return recorded(
    deps,
    attempt,
    async (): Promise<Ready> => {
      const ready = await prepared(deps, caller, body, { kind, reading, attempt, texts, params: [] })
      const verify = verifyOf(deps, ready.judged, { groupId: row.group_id, database: row.database }, 'write')
      const call = callOf(ready, row, way.mustBeEmpty)
      return { ...ready, body, row, call: verify ? { ...call, verify } : call }
    },
    (ready, auditId) =>
      act(deps, ready, auditId).catch((error: unknown) => {
        throw withoutMasked(error, reading, ready.judged)
      }),
  )
}

const callOf = ({ caller, reading }: Prepared, row: MigrationRow, mustBeEmpty: string[]): RollbackCall => ({
  groupId: row.group_id,
  database: row.database,
  owner: ownerOf(caller.executor),
  name: row.name,
  sha256: row.sha256,
  statements: reading.texts,
  writesInside: reading.statements.map(writesInside),
  checks: [],
  by: caller.executor.name,
  signal: caller.signal,
  mustBeEmpty,
})

async function act(deps: StoryDeps, ready: Ready, auditId: string): Promise<Done<RollbackAnswer>> {
  const step = nextStep(ready, ready.body)
  if (step === 'wait' && ready.approval) return paused(ready.approval)
  if (step === 'run') return run(deps, ready, auditId)
  return step === 'try' ? tryOut(deps, ready) : ask(deps, ready)
}

async function evidenceOf(
  { runner: { migrations } }: StoryDeps,
  { call, reading, judged }: Ready,
): Promise<{ found: Evidence; preview: SqlEvidence }> {
  const [found, warnings] = await Promise.all([
    migrations.previewRollback(call),
    migrations.lint(call.statements),
  ])
  refuseFailure(found)
  return { found, preview: shownEvidence(found, reading.carriesSecret, judged, { warnings, checks: [] }) }
}

async function tryOut(deps: StoryDeps, ready: Ready): Promise<Done<DryRun>> {
  const { found, preview } = await evidenceOf(deps, ready)
  const { rowsAffected, durationMs } = found
  const value: DryRun = {
    status: 'dry_run',
    operations: ready.reading.operations,
    decision: ready.judged.decision.decision === 'approve' ? 'approve' : 'execute',
    plan: preview.plan,
    rows_affected: preview.rows_affected,
    preview,
  }
  return { outcome: { status: 'dry_run', rowsAffected, durationMs }, value }
}

async function ask(deps: StoryDeps, ready: Ready, because?: string): Promise<Done<PendingApproval>> {
  const { body, row } = ready
  const approval = await askForApproval(deps.approvals, ready, async () => {
    const { found, preview } = await evidenceOf(deps, ready)
    const request = { rollback_of: row.id, reason: body.reason }
    return { kind: 'migrate', body, request, effect: found.effect, preview }
  })
  if (!approval) throw new Error('A rollback is always asked for.')
  await deps.history.rollbackAsked(row, approval.id)
  return paused(approval, because)
}

async function run(deps: StoryDeps, ready: Ready, auditId: string): Promise<Done<RollbackAnswer>> {
  const { approval, call, reading, row } = ready
  const { history, runner } = deps
  if (approval) await deps.approvals.use(approval, auditId)
  await history.rollbackBegun(row, auditId)
  const expect = approval?.effect
  try {
    const result = await runner.migrations.rollBack({ ...call, ...(expect && { expect }) })
    await history.rolledBack(row, auditId, call.by)
    const { rowsAffected, durationMs } = result
    const facts = factsOf(shapesOf(reading), { effect: effectFacts(result.effect) })
    const value: RolledBack = {
      status: 'executed',
      name: row.name,
      operations: reading.operations,
      rows_affected: rowsAffected,
      duration_ms: durationMs,
      audit_id: auditId,
    }
    return { outcome: { status: 'executed', rowsAffected, durationMs, facts }, value }
  } catch (error) {
    await history.rollbackEnded(row, auditId)
    if (error instanceof EffectChanged) return ask(deps, ready, otherEffect)
    throw error
  }
}
