import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { AssistantId } from '../assistants/index.ts'
import type { FileIdentity, FilePage, RootName, Segment, SourceName } from '../segment.ts'

/** A pool, or a client within a transaction. */
export type Db = Pick<pg.ClientBase, 'query'>

export interface SourceRow {
  no: string
  group_no: number
  generation: number
  position: number
  identity: FileIdentity | null
  cursor: unknown
  tail_hash: string | null
  lines: number
  derived: number
  derived_generation: number
  parser_version: number
  parser_state: string | null
  order_base: number
  missing_at: Date | null
  /** To the microsecond. */
  updated_at: string
}

const columns = `no, group_no, generation, position::float8 as position, identity, cursor, tail_hash,
  lines::float8 as lines, derived::float8 as derived, derived_generation, parser_version, parser_state, order_base,
  missing_at, updated_at::text`

/** The number of a group; made by the first segment of the group. */
export async function groupNo(db: Db, groupId: string): Promise<number | null> {
  const { rows } = await db.query<{ no: number }>('select no from transcripts.groups where group_id = $1', [
    groupId,
  ])
  return rows[0]?.no ?? null
}

export async function ensureGroup(db: Db, groupId: string): Promise<number> {
  const known = await groupNo(db, groupId)
  if (known !== null) return known
  await db.query('insert into transcripts.groups (group_id) values ($1) on conflict do nothing', [groupId])
  const made = await groupNo(db, groupId)
  if (made === null) throw new Error('the group was deleted')
  return made
}

export function nameHash({ machine, assistant, root, path }: SourceName): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([machine, assistant, root, path]))
    .digest()
}

export async function findSource(db: Db, group: number, name: SourceName): Promise<SourceRow | undefined> {
  const { rows } = await db.query<SourceRow>(
    `select ${columns} from transcripts.sources where group_no = $1 and name_hash = $2`,
    [group, nameHash(name)],
  )
  return rows[0]
}

export async function readSource(db: Db, no: string): Promise<SourceRow | undefined> {
  const { rows } = await db.query<SourceRow>(`select ${columns} from transcripts.sources where no = $1`, [no])
  return rows[0]
}

export async function lockSource(db: Db, no: string): Promise<SourceRow | undefined> {
  const { rows } = await db.query<SourceRow>(
    `select ${columns} from transcripts.sources where no = $1 for update`,
    [no],
  )
  return rows[0]
}

/** Makes the source of a first segment, at the beginning of its generation. */
export async function addSource(
  db: Db,
  group: number,
  { source, generation }: Pick<Segment, 'source' | 'generation'>,
  version: number,
): Promise<void> {
  await db.query(
    `insert into transcripts.sources (group_no, name_hash, machine, assistant, root, path, generation,
       derived_generation, position, parser_version)
     values ($1, $2, $3, $4, $5, $6, $7, $7, 0, $8) on conflict do nothing`,
    [
      group,
      nameHash(source),
      source.machine,
      source.assistant,
      source.root,
      source.path,
      generation,
      version,
    ],
  )
}

export interface SourceProgress {
  lines: number
  derived: number
  derivedGeneration: number
  state: string | null
  orderBase: number
}

export async function advanceSource(
  db: Db,
  no: string,
  segment: Segment,
  progress: SourceProgress,
): Promise<void> {
  const skipped = segment.skipped.reduce((sum, { bytes }) => sum + bytes, 0)
  await db.query(
    `update transcripts.sources set generation = $2, position = $3, identity = $4, cursor = $5, tail_hash = $6,
       born_at = coalesce(born_at, $7), lines = $8, derived = $9, derived_generation = $10, parser_state = $11,
       order_base = $12, skipped_bytes = skipped_bytes + $13, missing_at = null, updated_at = now()
     where no = $1`,
    [
      no,
      segment.generation,
      segment.to,
      json(segment.identity),
      json(segment.cursor),
      segment.tailHash ?? null,
      segment.bornAt ?? null,
      progress.lines,
      progress.derived,
      progress.derivedGeneration,
      progress.state,
      progress.orderBase,
      skipped,
    ],
  )
}

const filesPerPage = 1_000

/** Files that were not reported as deleted. */
export async function listFiles(
  db: Db,
  group: number,
  { machine, assistant, root }: RootName,
  cursor: string | null,
): Promise<FilePage> {
  const { rows } = await db.query<{ no: string; path: string }>(
    `select no, path from transcripts.sources where group_no = $1 and machine = $2 and assistant = $3 and root = $4
       and missing_at is null and no > $5 order by no limit ${filesPerPage}`,
    [group, machine, assistant, root, cursor ?? '0'],
  )
  const next = rows.length < filesPerPage ? null : (rows.at(-1)?.no ?? null)
  return { paths: rows.map(({ path }) => path), next }
}

const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/** Returns the number of the source; undefined: it was never seen. */
export async function markMissing(db: Db, group: number, name: SourceName): Promise<string | undefined> {
  const { rows } = await db.query<{ no: string }>(
    `update transcripts.sources set missing_at = coalesce(missing_at, now())
     where group_no = $1 and name_hash = $2 returning no`,
    [group, nameHash(name)],
  )
  return rows[0]?.no
}

/** Sources of the sessions of a source that are not missing. */
export async function presentSources(db: Db, no: string): Promise<{ no: string; path: string }[]> {
  const { rows } = await db.query<{ no: string; path: string }>(
    `select distinct o.no, o.path from transcripts.session_sources link
     join transcripts.session_sources other on other.session_no = link.session_no
     join transcripts.sources o on o.no = other.source_no
     where link.source_no = $1 and o.missing_at is null`,
    [no],
  )
  return rows
}

/** Sessions of a missing source that have none of those that are present. */
export async function markSessionsMissing(db: Db, no: string, present: readonly string[]): Promise<void> {
  await db.query(
    `update transcripts.sessions s set source_missing = true from transcripts.session_sources link
     where link.source_no = $1 and s.no = link.session_no and not exists (
       select from transcripts.session_sources other
       where other.session_no = s.no and other.source_no = any($2::bigint[])
     )`,
    [no, present],
  )
}

/** Sessions of a source that was missing. */
export async function markAllPresent(db: Db, sourceNo: string): Promise<void> {
  await db.query(
    `update transcripts.sessions set source_missing = false where source_missing
       and no in (select session_no from transcripts.session_sources where source_no = $1)`,
    [sourceNo],
  )
}

export async function markPresent(
  db: Db,
  { group, assistant }: { group: number; assistant: AssistantId },
  keys: readonly string[],
): Promise<void> {
  await db.query(
    `update transcripts.sessions set source_missing = false where source_missing
       and group_no = $1 and assistant = $2 and external_id = any($3::text[])`,
    [group, assistant, keys],
  )
}

export async function linkSources(db: Db, sourceNo: string, sessionNos: readonly string[]): Promise<void> {
  await db.query(
    `insert into transcripts.session_sources (session_no, source_no)
     select unnest($2::bigint[]), $1 on conflict do nothing`,
    [sourceNo, sessionNos],
  )
}
