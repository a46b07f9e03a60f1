import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AttemptFacts, AuditStatus } from '../contract.ts'
import type { SqlTables } from '../tables.ts'
import { canonical, hashedColumns, type AuditEntry } from './entry.ts'

type Db = Kysely<SqlTables>

/** What happens to the list of running attempts in the same statement that adds an entry. */
export type Running = { opens: string } | { closes: true; facts?: AttemptFacts | undefined } | undefined

/**
 * Adds an entry to the chain of its group in one statement: the row of the head is the lock under which the next hash
 * is made, and it is held only until this statement has committed.
 */
export async function appendEntry(db: Db, entry: AuditEntry, running: Running): Promise<void> {
  const append = appending(entry, running)
  if ((await append.execute(db)).rows.length > 0) return
  await sql`insert into sql.audit_heads (group_id) values (${entry.group_id}) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await append.execute(db)
  if (rows.length === 0) throw new Error('the audit entry was not written')
}

function appending(entry: AuditEntry, running: Running): RawBuilder<{ seq: string }> {
  const values = hashedColumns.map((name) => sql`${entry[name]}`)
  const columns = hashedColumns.map((name) => sql.ref(name))
  return sql<{ seq: string }>`
    with head as (
      update sql.audit_heads
      set seq = seq + 1, previous = hash, hash = sha256(hash || ${canonical(entry)}::bytea)
      where group_id = ${entry.group_id}
      returning seq, previous, hash
    )${listing(entry, running)}
    insert into sql.audit (seq, previous_hash, hash, asked_by, masked, grant_id, ${sql.join(columns)})
    select head.seq, head.previous, head.hash, ${entry.asked_by && JSON.stringify(entry.asked_by)}::jsonb,
      ${entry.masked}::text[], ${entry.grant_id}::uuid, ${sql.join(values)}
    from head
    returning seq`
}

function listing({ attempt_id: id, group_id: groupId }: AuditEntry, running: Running): RawBuilder<unknown> {
  if (running === undefined) return sql``
  return 'opens' in running
    ? sql`, opened as (
      insert into sql.open_attempts (attempt_id, group_id, process_id)
      select ${id}, ${groupId}, ${running.opens} from head
    )`
    : sql`, closed as (delete from sql.open_attempts where attempt_id = ${id})${noting(id, groupId, running.facts)}`
}

function noting(id: string, groupId: string, facts: AttemptFacts | undefined): RawBuilder<unknown> {
  if (facts === undefined) return sql``
  return sql`, noted as (
      insert into sql.attempt_facts (attempt_id, group_id, facts)
      select ${id}, ${groupId}, ${JSON.stringify(facts)} from head
    )`
}

export type StoredEntry = AuditEntry & { seq: string; previous_hash: Buffer; hash: Buffer }

/** PostgreSQL's bigint arrives as text. */
function toEntry<T extends { rows_affected: string | null }>(
  row: T,
): Omit<T, 'rows_affected'> & { rows_affected: number | null } {
  return { ...row, rows_affected: row.rows_affected === null ? null : Number(row.rows_affected) }
}

export async function entriesAfter(
  db: Db,
  groupId: string,
  seq: string,
  limit: number,
): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('sql.audit')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

export interface Head {
  group_id: string
  seq: string
  hash: Buffer
}

/** Groups that have a head or entries. */
export async function listChains(db: Db): Promise<string[]> {
  const { rows } = await sql<{ group_id: string }>`
    select group_id from sql.audit_heads union select distinct group_id from sql.audit order by group_id`.execute(
    db,
  )
  return rows.map((row) => row.group_id)
}

export async function findHead(db: Db, groupId: string): Promise<Head | undefined> {
  return db
    .selectFrom('sql.audit_heads')
    .select(['group_id', 'seq', 'hash'])
    .where('group_id', '=', groupId)
    .executeTakeFirst()
}

export async function openProcesses(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('sql.open_attempts').select('process_id').distinct().execute()
  return rows.map((row) => row.process_id)
}

/** The first entries of the attempts that a process left open. */
export async function openEntries(db: Db, process: string): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('sql.audit as a')
    .innerJoin('sql.open_attempts as o', 'o.attempt_id', 'a.attempt_id')
    .selectAll('a')
    .where('o.process_id', '=', process)
    .where('a.phase', '=', 'before')
    .orderBy('a.created_at')
    .execute()
  return rows.map(toEntry)
}

export interface AuditFilter {
  groupId: string
  /** Only what this key or this person did. */
  keyId?: string | undefined
  userId?: string | undefined
  /** Only what a person sent, not what their keys did. */
  withoutKeys?: boolean | undefined
  database?: string | undefined
  agentId?: string | undefined
  status?: AuditStatus | undefined
  search?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Only attempts before this place in the chain. */
  before?: string | undefined
  limit: number
}

/** An attempt: its first entry, with the outcome of its second where there is one. */
export type AttemptRow = StoredEntry & { outcome_hash: Buffer | null }

export async function listAttempts(db: Db, filter: AuditFilter): Promise<AttemptRow[]> {
  const conditions = conditionsOf(filter)
  const { rows } = await sql<Read<AttemptRow>>`
    select ${attemptColumns}
    from sql.audit b
    left join sql.audit a on a.attempt_id = b.attempt_id and a.phase = 'after'
    where ${sql.join(conditions, sql` and `)}
    order by b.seq desc limit ${filter.limit}`.execute(db)
  return rows.map(toEntry)
}

type Read<Row> = Omit<Row, 'rows_affected'> & { rows_affected: string | null }

const attemptColumns =
  sql.raw(`b.group_id, b.seq, b.attempt_id, b.kind, b.database, b.sql, b.truncated, b.executor,
      b.agent_id, b.asked_by, b.reason, b.operations, b.created_at, b.hash, a.hash as outcome_hash,
      coalesce(a.status, b.status) as status, coalesce(a.rule, b.rule) as rule, coalesce(a.error, b.error) as error,
      coalesce(a.rows_affected, b.rows_affected) as rows_affected,
      coalesce(a.duration_ms, b.duration_ms) as duration_ms, coalesce(a.approval_id, b.approval_id) as approval_id,
      b.masked, b.grant_id`)

export type WorkRow = AttemptRow & { facts: AttemptFacts | null }

/** What some keys did, oldest first, with what people did about their approvals. */
export async function listWork(
  db: Db,
  groupId: string,
  keyIds: readonly string[],
  limit: number,
): Promise<WorkRow[]> {
  const { rows } = await sql<Read<WorkRow>>`
    select ${attemptColumns}, f.facts
    from sql.audit b
    left join sql.audit a on a.attempt_id = b.attempt_id and a.phase = 'after'
    left join sql.attempt_facts f on f.attempt_id = b.attempt_id
    where b.group_id = ${groupId} and b.phase = 'before' and (
      b.api_key_id = any(${[...keyIds]}::uuid[])
      or b.approval_id in (
        select p.id from sql.approvals p where p.group_id = ${groupId} and p.requested_key = any(${[...keyIds]}::uuid[])
      ))
    order by b.seq limit ${limit}`.execute(db)
  return rows.map(toEntry)
}

function conditionsOf(filter: AuditFilter): RawBuilder<unknown>[] {
  const conditions = [sql`b.group_id = ${filter.groupId}`, sql`b.phase = 'before'`]
  const add = (value: unknown, condition: RawBuilder<unknown>): void =>
    void (value === undefined || conditions.push(condition))
  add(filter.keyId, sql`b.api_key_id = ${filter.keyId}`)
  add(filter.userId, sql`b.user_id = ${filter.userId}`)
  if (filter.withoutKeys) conditions.push(sql`b.api_key_id is null`)
  add(filter.database, sql`b.database = ${filter.database}`)
  add(filter.agentId, sql`b.agent_id = ${filter.agentId}`)
  add(filter.status, sql`coalesce(a.status, b.status) = ${filter.status}`)
  add(filter.since, sql`b.created_at >= ${filter.since}`)
  add(filter.until, sql`b.created_at < ${filter.until}`)
  add(filter.before, sql`b.seq < ${filter.before}`)
  const pattern = `%${(filter.search ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  add(
    filter.search,
    sql`(b.sql ilike ${pattern} or b.reason ilike ${pattern} or b.executor ilike ${pattern} or a.error ilike ${pattern})`,
  )
  return conditions
}
