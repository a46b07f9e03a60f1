import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import { lockUntilCommit } from '#kernel/db'
import type { AgentTables } from '../tables.ts'
import type { RunStatus } from '../shapes/run.ts'

type Db = Kysely<AgentTables>
export type RunRow = Selectable<AgentTables['agents.runs']>
export type NewRun = Pick<
  Insertable<AgentTables['agents.runs']>,
  | 'id'
  | 'group_id'
  | 'agent_id'
  | 'agent_version'
  | 'request'
  | 'limits'
  | 'started_by'
  | 'started_by_name'
  | 'asked_user'
  | 'started_key'
  | 'scopes'
  | 'depth'
  | 'parent_id'
  | 'ticket'
  | 'schedule_id'
>

export const leaseSeconds = 20
const lease = sql<Date>`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`

export async function insertRun(db: Db, run: NewRun): Promise<RunRow> {
  return db
    .insertInto('agents.runs')
    .values({ ...run, status: 'queued' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findRun(db: Db, groupId: string, id: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('agents.runs')
    .selectAll()
    .where('id', '=', id)
    .where('group_id', '=', groupId)
    .executeTakeFirst()
}

/** Undefined: there is no such run. */
export async function readStatus(db: Db, groupId: string, id: string): Promise<RunStatus | undefined> {
  const row = await db
    .selectFrom('agents.runs')
    .select('status')
    .where('id', '=', id)
    .where('group_id', '=', groupId)
    .executeTakeFirst()
  return row?.status
}

export const isActive = ({ status }: Pick<RunRow, 'status'>): boolean =>
  status === 'queued' || status === 'running'
export const isOpen = (row: Pick<RunRow, 'status'>): boolean => isActive(row) || row.status === 'waiting'

export async function countUnfinished(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('agents.runs')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Undefined where it has ended. It cannot end before the transaction does. */
export async function holdOpenRun(transaction: Db, id: string): Promise<{ id: string } | undefined> {
  return transaction
    .selectFrom('agents.runs')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'running')
    .forShare()
    .executeTakeFirst()
}

/** Runs that wait for their turn. */
export async function countQueued(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('agents.runs')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Takes the oldest run that waits for its turn, unless as many run as may run. Those that runs asked for are counted
 * apart: otherwise runs that wait for them could take every place, and wait for ever.
 */
export async function claimRun(db: Db, processId: string, maxRuns: number): Promise<RunRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    await lockUntilCommit(transaction, 'agent runs')
    return transaction
      .updateTable('agents.runs')
      .set({ status: 'running', process_id: processId, lease_until: lease, updated_at: new Date() })
      .where('id', '=', (eb) =>
        eb
          .selectFrom('agents.runs as queued')
          .select('queued.id')
          .where('queued.status', '=', 'queued')
          .where('queued.cancel_requested', '=', false)
          .where(
            sql<boolean>`(
              select count(*) from agents.runs r where r.status = 'running' and r.depth = queued.depth
            ) < ${maxRuns}`,
          )
          .orderBy('queued.created_at')
          .orderBy('queued.id')
          .limit(1),
      )
      .returningAll()
      .executeTakeFirst()
  })
}

/** Says that this process still runs them, and returns those that it still has. */
export async function renewLeases(
  db: Db,
  processId: string,
  ids: readonly string[],
): Promise<{ id: string; cancel_requested: boolean }[]> {
  if (ids.length === 0) return []
  return db
    .updateTable('agents.runs')
    .set({ lease_until: lease })
    .where('id', 'in', ids)
    .where('process_id', '=', processId)
    .where('status', '=', 'running')
    .returning(['id', 'cancel_requested'])
    .execute()
}

/** Runs whose process died. */
export async function findLost(db: Db): Promise<RunRow[]> {
  return db
    .selectFrom('agents.runs')
    .selectAll()
    .where('status', '=', 'running')
    .where('lease_until', '<', sql<Date>`now()`)
    .execute()
}

export interface Progress {
  tool_calls: RunRow['tool_calls']
  input_tokens: number
  output_tokens: number
  cost: string | null
  steps: number
}

/** False: the run belongs to another process by now, or has ended. */
export async function saveProgress(
  db: Db,
  id: string,
  processId: string,
  progress: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('agents.runs')
    .set({ ...progress, tool_calls: JSON.stringify(progress.tool_calls), updated_at: new Date() })
    .where('id', '=', id)
    .where('process_id', '=', processId)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type RunChange = Partial<
  Pick<
    Insertable<AgentTables['agents.runs']>,
    | 'waiting_for'
    | 'response'
    | 'error'
    | 'workflow'
    | 'tool_calls'
    | 'input_tokens'
    | 'output_tokens'
    | 'cost'
    | 'active_ms'
    | 'memory'
    | 'decision'
    | 'cancel_requested'
    | 'agent_version'
    | 'turns'
    | 'limits'
    | 'started_by'
    | 'started_key'
    | 'scopes'
  >
>

/** Changes the status if the run still has the expected one. Undefined: somebody was faster. */
export async function moveRun(
  db: Db,
  from: { id: string; status: RunStatus; processId?: string; waitId?: string | null; turns?: number },
  status: RunStatus,
  change: RunChange,
): Promise<RunRow | undefined> {
  const isEnd = status === 'completed' || status === 'failed' || status === 'cancelled'
  let query = db
    .updateTable('agents.runs')
    .set({
      ...change,
      status,
      process_id: null,
      lease_until: null,
      updated_at: new Date(),
      finished_at: isEnd ? new Date() : null,
      ...(isEnd && { memory: null, decision: null, waiting_for: null }),
    })
    .where('id', '=', from.id)
    .where('status', '=', from.status)
  if (from.processId !== undefined) query = query.where('process_id', '=', from.processId)
  if (from.waitId !== undefined)
    query = query.where(sql<boolean>`waiting_for ->> 'wait_id' is not distinct from ${from.waitId}`)
  if (from.turns !== undefined) query = query.where(sql<boolean>`jsonb_array_length(turns) = ${from.turns}`)
  return query.returningAll().executeTakeFirst()
}

export async function requestCancel(db: Db, id: string): Promise<void> {
  await db
    .updateTable('agents.runs')
    .set({ cancel_requested: true })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
}

/** The runs that this one asked for end with it. */
export async function requestCancelOfAsked(db: Db, parentId: string): Promise<void> {
  await db
    .updateTable('agents.runs')
    .set({ cancel_requested: true })
    .where('parent_id', '=', parentId)
    .where('status', 'in', ['queued', 'running', 'waiting'])
    .execute()
}

/** Those that are to be cancelled and that no process has. */
export async function findIdleToCancel(db: Db): Promise<RunRow[]> {
  return db
    .selectFrom('agents.runs')
    .selectAll()
    .where('status', 'in', ['queued', 'waiting'])
    .where('cancel_requested', '=', true)
    .execute()
}

export type WaitingRun = Pick<RunRow, 'id' | 'waiting_for'>

/** Some of those that wait for an approval of the SQL proxy, in the order of their IDs. */
export async function findAwaitingApproval(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<WaitingRun[]> {
  let query = db
    .selectFrom('agents.runs')
    .select(['id', 'waiting_for'])
    .where('status', '=', 'waiting')
    .where(sql<boolean>`waiting_for ->> 'kind' = 'approval'`)
  if (after !== undefined) query = query.where('id', '>', after)
  return query.orderBy('id').limit(limit).execute()
}

export async function insertRunKey(db: Db, runId: string, keyId: string, turn: number): Promise<void> {
  await db.insertInto('agents.run_keys').values({ run_id: runId, key_id: keyId, turn }).execute()
}

/** Every key that the run had, or had in one turn. */
export async function listRunKeys(db: Db, runId: string, turn?: number): Promise<string[]> {
  let query = db.selectFrom('agents.run_keys').select('key_id').where('run_id', '=', runId)
  if (turn !== undefined) query = query.where('turn', '=', turn)
  const rows = await query.execute()
  return rows.map((row) => row.key_id)
}

export async function deleteOldRuns(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('agents.runs')
    .where('finished_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
}
