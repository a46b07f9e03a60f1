import type { DryRun, Executed, ExecuteBody, PendingApproval } from '../contract.ts'
import { effectFacts, factsOf, resultFacts } from '../audit/facts.ts'
import { EffectChanged, type Effect } from '../evidence/evidence.ts'
import type { Call } from '../run/runner.ts'
import type { Images, NotKept } from '../undo/images.ts'
import { askForApproval } from './ask.ts'
import { ownerOf, type Caller } from './caller.ts'
import type { StoryDeps } from './deps.ts'
import { withCounts } from './count-tables.ts'
import { dryRun, tried } from './dry-run.ts'
import { shownEvidence } from './evidence.ts'
import { maskedText, withoutMasked } from './masked-text.ts'
import { otherEffect, paused } from './paused.ts'
import { attemptOf, nextStep, prepared, type Prepared } from './prepared.ts'
import { readTexts, shapesOf, writesInside, type Reading } from './reading.ts'
import { changedSince, refuseHalf } from './undo-whole.ts'
import { recorded, type Done } from './recorded.ts'
import { verifyOf } from './verify.ts'
import type { ClassifiedStatement } from '../classify/classification.ts'
import { isActivity } from '../policy/relations.ts'
import { SqlError } from '../run/faults.ts'

export type ExecuteAnswer = Executed | DryRun | PendingApproval

/** A statement of ours that restores rows: what is stored of it, since the rows are sealed, and what it must do. */
export interface Undoing {
  request: { undo_of: string; reason: string }
  expect: Effect
  /** Right before the commit: throws where another undo of the same change was faster. */
  claim(attemptId: string): Promise<void>
}

type Ready = Prepared & { body: ExecuteBody; call: Call; undoing: Undoing | undefined }

/** The story of one statement, from the body to the response. */
export async function execute(
  deps: StoryDeps,
  caller: Caller,
  body: ExecuteBody,
  undoing?: Undoing,
): Promise<ExecuteAnswer> {
  const kind = 'execute'
  const { sql, params } = body
  const reading = await readTexts(deps.classifier, [sql], kind, ownerOf(caller.executor))
  const attempt = attemptOf(caller, body, { kind: undoing ? 'undo' : kind, text: sql, reading })
  return recorded(
    deps,
    attempt,
    async (): Promise<Ready> => {
      const given = { kind, reading, attempt, texts: [sql], params, isUndo: undoing !== undefined } as const
      const ready = await prepared(deps, caller, body, given)
      const text = await maskedText(deps, reading, ready.judged)
      return { ...ready, body, undoing, call: callOf(deps, caller, body, ready, text) }
    },
    (ready, auditId) =>
      act(deps, ready, auditId).catch((error: unknown) => {
        throw withoutMasked(placedInText(error, reading), reading, ready.judged)
      }),
  )
}

async function act(deps: StoryDeps, ready: Ready, auditId: string): Promise<Done<ExecuteAnswer>> {
  const step = nextStep(ready, ready.body)
  if (step === 'try') return dryRun(deps.runner, ready, (evidence) => refuseHalf(evidence, ready.undoing))
  if (step === 'wait' && ready.approval) return paused(ready.approval)
  return step === 'ask' ? ask(deps, ready) : run(deps, ready, auditId)
}

async function ask(deps: StoryDeps, ready: Ready, because?: string): Promise<Done<PendingApproval>> {
  const { body, reading, undoing } = ready
  const { approval_id: _approval, group_id: _group, ...request } = body
  const row = await askForApproval(deps.approvals, ready, async () => {
    const evidence = await tried(deps.runner, ready.call)
    refuseHalf(evidence, undoing)
    return {
      kind: undoing ? 'undo' : 'execute',
      body,
      request: undoing?.request ?? request,
      effect: evidence.effect,
      preview: shownEvidence(evidence, reading.carriesSecret, ready.judged),
    }
  })
  if (!row) throw new Error('A statement is always asked for.')
  return paused(row, because)
}

async function run(deps: StoryDeps, ready: Ready, auditId: string): Promise<Done<ExecuteAnswer>> {
  const { approval, call, reading, undoing } = ready
  if (approval) await deps.approvals.use(approval, auditId)
  const expect = approval?.effect ?? undoing?.expect
  const keepRows = !undoing && changesRows(reading) ? keeping(deps, ready, auditId) : undefined
  try {
    const { result, counted } = await withCounts(deps.runner, ready, call.database, () =>
      deps.runner.run({
        ...call,
        ...(expect && { expect }),
        ...(keepRows && { keepRows }),
        ...(undoing && { beforeCommit: () => undoing.claim(auditId) }),
      }),
    )
    const { rowsAffected, durationMs } = result
    const value: Executed = {
      status: 'executed',
      operations: reading.operations,
      columns: result.columns,
      rows: result.rows,
      row_count: result.rowCount,
      rows_affected: rowsAffected,
      truncated: result.truncated,
      ...(ready.judged.found.edits.length > 0 && { masked: ready.judged.found.masked }),
      duration_ms: durationMs,
      audit_id: auditId,
    }
    const shapes = shapesOf(reading)
    const found = shapes[0] ? resultFacts(shapes[0], result.rows, result.rowCount) : null
    const facts = factsOf(shapes, { result: found, effect: effectFacts(result.effect), counted })
    return { outcome: { status: 'executed', rowsAffected, durationMs, facts }, value }
  } catch (error) {
    if (error instanceof EffectChanged && undoing) throw changedSince(error.effect, undoing.expect)
    if (error instanceof EffectChanged) return ask(deps, ready, otherEffect)
    throw error
  }
}

/** Before the change is committed: one whose rows could not be kept does not happen. */
const keeping =
  ({ keptRows }: StoryDeps, { caller, body, judged }: Ready, auditId: string) =>
  (kept: Images | NotKept): Promise<void> =>
    keptRows.keep(
      { groupId: caller.group.id, auditId, database: body.database, agentId: judged.agent.id },
      kept,
    )

const changesRows = ({ operations }: Prepared['reading']): boolean =>
  operations.some((each) => each === 'INSERT' || each === 'UPDATE' || each === 'DELETE')

/** `text`: the statement with masks, where it has some. */
function callOf(
  deps: StoryDeps,
  caller: Caller,
  body: ExecuteBody,
  { access, reading, judged }: Prepared,
  text: string | undefined,
): Call {
  const at = { groupId: caller.group.id, database: body.database }
  const verify = verifyOf(deps, judged, at, access)
  return {
    ...at,
    owner: ownerOf(caller.executor),
    sql: withOwnActivity(text ?? body.sql, text === undefined ? reading : { ...reading, texts: [text] }),
    params: body.params,
    access,
    maxRows: Math.min(body.max_rows, judged.policy.max_rows ?? body.max_rows),
    writesInside: reading.statements.flatMap(writesInside),
    signal: caller.signal,
    ...(verify && { verify }),
  }
}

/** All callers share a role of the database, which would see the statements of all of them. */
const opening = `with pg_stat_activity as (
  select * from pg_catalog.pg_stat_activity
  where application_name operator(pg_catalog.=) pg_catalog.current_setting('application_name')
) select * from (
`

const readsActivity = ({ relations }: ClassifiedStatement): boolean => relations.some(isActivity)

/** The text that runs: for a query of `pg_stat_activity`, with the caller's own sessions in its place. */
function withOwnActivity(sql: string, { statements, texts }: Reading): string {
  return statements.some(readsActivity) ? `${opening}${texts[0] ?? ''}\n) as own_sessions` : sql
}

/** PostgreSQL reports the place in the text that ran. */
function placedInText(error: unknown, { statements }: Reading): unknown {
  if (!(error instanceof SqlError) || error.position === null || !statements.some(readsActivity)) return error
  const position = error.position - opening.length + (statements[0]?.from ?? 0)
  return new SqlError(error.message, error.sqlstate, position, error.cause)
}
