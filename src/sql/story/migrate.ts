import { invalidField } from '#kernel/errors'
import type {
  AlreadyApplied,
  MigrateBody,
  Migrated,
  MigrationDryRun,
  PendingApproval,
  SqlEvidence,
  StatementShape,
} from '../contract.ts'
import { checkFacts, effectFacts, factsOf } from '../audit/facts.ts'
import type { AskedMigration } from '../migrate/history.ts'
import type { Check, MigrationCall, MigrationPreview } from '../migrate/migration.ts'
import { isActivity } from '../policy/relations.ts'
import { Refusal } from '../refusal.ts'
import { EffectChanged } from '../evidence/evidence.ts'
import { noEvidence } from '../evidence/preview.ts'
import { askForApproval } from './ask.ts'
import { askedMigration, readRollback } from './asked-migration.ts'
import { onCopy, refuseFailed } from './on-copy.ts'
import { ownerOf, type Caller } from './caller.ts'
import { withCounts } from './count-tables.ts'
import type { StoryDeps } from './deps.ts'
import { refuseFailure } from './dry-run.ts'
import { shownEvidence } from './evidence.ts'
import { judge, refusalOf, type Judged } from './judge.ts'
import { maskedText, withoutMasked } from './masked-text.ts'
import { otherEffect, paused } from './paused.ts'
import { agentOf, attemptOf, nextStep, prepared, type Prepared } from './prepared.ts'
import { readTexts, shapesOf, writesInside } from './reading.ts'
import { recorded, type Done } from './recorded.ts'
import { verifyOf } from './verify.ts'

export type MigrateAnswer = Migrated | AlreadyApplied | MigrationDryRun | PendingApproval

type Ready = Prepared & {
  body: MigrateBody
  call: MigrationCall
  checkShapes: StatementShape[]
  /** What is kept of it. */
  asked: AskedMigration
}

/** The story of one migration, from the body to the response. */
export async function migrate(deps: StoryDeps, caller: Caller, body: MigrateBody): Promise<MigrateAnswer> {
  const kind = 'migrate'
  const given = textsOf(body)
  const reading = await readTexts(deps.classifier, given, kind, ownerOf(caller.executor))
  const attempt = attemptOf(caller, body, { kind, text: given.join(';\n'), reading })
  const back = body.rollback.length === 0 ? [] : ['rollback', ...body.rollback]
  const texts = [body.name, ...given, 'checks', ...body.checks, ...back]
  return recorded(
    deps,
    attempt,
    async (): Promise<Ready> => {
      const ready = await prepared(deps, caller, body, { kind, reading, attempt, texts, params: [] })
      const { shapes: checkShapes, checks } = await judgeChecks(deps, caller, body, ready.judged)
      const verify = verifyOf(
        deps,
        ready.judged,
        { groupId: caller.group.id, database: body.database },
        'write',
      )
      const asked = askedMigration(ready, body, await readRollback(deps, caller, body))
      const { database, name } = body
      const { signal, executor } = caller
      const call = {
        groupId: caller.group.id,
        database,
        owner: ownerOf(executor),
        name,
        statements: reading.texts,
        writesInside: reading.statements.map(writesInside),
        checks,
        ...(verify && { verify }),
        by: executor.name,
        signal,
      }
      return { ...ready, body, call, checkShapes, asked }
    },
    (ready, auditId) =>
      act(deps, ready, auditId).catch((error: unknown) => {
        throw withoutMasked(error, reading, ready.judged)
      }),
  )
}

function textsOf({ sql, statements }: MigrateBody): string[] {
  if ((sql === undefined) === (statements === undefined))
    throw invalidField('statements', ['or ', { path: 'sql' }, ' must be sent, and only one of them'])
  return statements ?? [sql ?? '']
}

/** Checks look at data and change nothing, under the same policy. */
async function judgeChecks(
  deps: StoryDeps,
  caller: Caller,
  body: MigrateBody,
  migration: Judged,
): Promise<{ shapes: StatementShape[]; checks: Check[] }> {
  const shapes: StatementShape[] = []
  const checks: Check[] = []
  for (const [index, text] of body.checks.entries()) {
    const reading = await readTexts(deps.classifier, [text], 'execute', ownerOf(caller.executor))
    if (reading.unreadable) throw reading.unreadable
    if (reading.statements.some(({ relations }) => relations.some(isActivity)))
      throw new Refusal('other_sessions', `checks[${index}] reads pg_stat_activity, which a check cannot.`)
    if (reading.statements.some(({ isReadOnly }) => !isReadOnly))
      throw new Refusal('check_changes_something', `checks[${index}] is not a pure query.`)
    const { database } = body
    const agentId = agentOf(caller, body.agent_id)
    const judged = await judge(
      deps,
      { groupId: caller.group.id, database, kind: 'execute', agentId },
      reading,
    )
    if (judged.decision.decision !== 'execute') throw refusalOf(judged)
    shapes.push(...shapesOf(reading))
    checks.push({
      sql: text,
      masked: (await maskedText(deps, reading, judged)) ?? text,
      shown: (error) => withoutMasked(error, reading, judged),
    })
    for (const oid of judged.found.known) migration.found.known.add(oid)
  }
  return { shapes, checks }
}

async function act(deps: StoryDeps, ready: Ready, auditId: string): Promise<Done<MigrateAnswer>> {
  const step = nextStep(ready, ready.body)
  if (step === 'wait' && ready.approval) return paused(ready.approval)
  if (step === 'run') return run(deps, ready, auditId)
  return step === 'try' ? tryOut(deps, ready) : ask(deps, ready)
}

/** Rolled back, with what the linter says. */
async function evidenceOf(
  { runner: { migrations } }: StoryDeps,
  { call, reading, judged }: Ready,
): Promise<{ found: MigrationPreview; preview: SqlEvidence }> {
  const [found, warnings] = await Promise.all([migrations.preview(call), migrations.lint(call.statements)])
  refuseFailure(found)
  return {
    found,
    preview: shownEvidence(found, reading.carriesSecret, judged, { warnings, checks: found.checks }),
  }
}

/** On a copy nothing is known about rows; the linter says the same. */
async function copyEvidence(
  { runner }: StoryDeps,
  { call, reading, judged }: Ready,
): ReturnType<typeof evidenceOf> {
  const warnings = await runner.migrations.lint(call.statements)
  const found = { ...noEvidence, skipped: onlyOnCopy, checks: [], isApplied: false }
  return { found, preview: shownEvidence(found, reading.carriesSecret, judged, { warnings, checks: [] }) }
}

const onlyOnCopy = 'It was tried on a copy of the schema, which has no rows.'

async function tryOut(deps: StoryDeps, ready: Ready): Promise<Done<MigrateAnswer>> {
  const copy = await onCopy(deps, ready)
  const { found, preview } = copy ? await copyEvidence(deps, ready) : await evidenceOf(deps, ready)
  if (found.isApplied) return alreadyApplied(ready, null)
  const value: MigrationDryRun = {
    status: 'dry_run',
    operations: ready.reading.operations,
    decision: ready.judged.decision.decision === 'approve' ? 'approve' : 'execute',
    plan: preview.plan,
    rows_affected: preview.rows_affected,
    preview,
    checks: preview.checks,
    warnings: preview.warnings,
    copy,
  }
  const { rowsAffected, durationMs } = found
  return { outcome: { status: 'dry_run', rowsAffected, durationMs }, value }
}

async function ask(deps: StoryDeps, ready: Ready, because?: string): Promise<Done<MigrateAnswer>> {
  const { body, asked } = ready
  const { approval_id: _approval, group_id: _group, trial: _trial, ...request } = body
  const copy = await onCopy(deps, ready)
  const row = await askForApproval(deps.approvals, ready, async () => {
    const { found, preview } = await evidenceOf(deps, ready)
    return found.isApplied ? undefined : { kind: 'migrate', body, request, effect: found.effect, preview }
  })
  if (!row) return alreadyApplied(ready, null)
  await deps.history.asked(asked, row.id, row.preview)
  if (copy) await deps.history.tried(asked, copy)
  return paused(row, because)
}

async function run(deps: StoryDeps, ready: Ready, auditId: string): Promise<Done<MigrateAnswer>> {
  const { approval, call, reading, judged, asked } = ready
  const { migrations } = deps.runner
  // One that was approved has been tried before.
  const copy = approval ? null : await onCopy(deps, ready)
  refuseFailed(copy)
  if (approval) await deps.approvals.use(approval, auditId)
  await deps.history.begun(asked, auditId, approval?.id ?? null)
  const expect = approval?.effect
  const warnings = await migrations.lint(call.statements)
  try {
    const { result, counted } = await withCounts(deps.runner, ready, call.database, () =>
      migrations.apply({ ...call, ...(expect && { expect }) }),
    )
    if (result.status === 'already_applied') {
      await deps.history.alreadyApplied(asked, result.appliedAt)
      return alreadyApplied(ready, result.appliedAt)
    }
    const { rowsAffected, durationMs, checks, effect } = result
    // Hashes of rows are for comparing only.
    const { rows: _rows, ...shownEffect } = effect
    const outcome = { effect: shownEffect, rows_affected: rowsAffected, checks, warnings }
    await deps.history.applied(asked, auditId, outcome, durationMs)
    if (copy) await deps.history.tried(asked, copy)
    const value: Migrated = {
      status: 'executed',
      name: call.name,
      operations: reading.operations,
      rows_affected: rowsAffected,
      checks,
      warnings,
      duration_ms: durationMs,
      audit_id: auditId,
    }
    const facts = factsOf(shapesOf(reading), {
      checks: checkFacts(ready.checkShapes, checks),
      effect: effectFacts(effect),
      counted,
    })
    return { outcome: { status: 'executed', rowsAffected, durationMs, facts }, value }
  } catch (error) {
    if (error instanceof EffectChanged) return ask(deps, ready, otherEffect)
    const shown = withoutMasked(error, reading, judged)
    await deps.history.failed(asked, shown)
    throw shown
  }
}

const alreadyApplied = ({ call }: Ready, at: string | null): Done<AlreadyApplied> => ({
  outcome: { status: 'already_applied' },
  value: { status: 'already_applied', name: call.name, applied_at: at },
})
