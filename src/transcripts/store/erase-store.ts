import type { AssistantId } from '../assistants/index.ts'
import type { Owner } from './session-store.ts'
import type { Db } from './source-store.ts'

const portion = 20_000

export interface ErasedSession {
  no: string
  external_id: string
}

/** A session with the subagents below it. */
export async function withSubagents(
  db: Db,
  { group, assistant }: Owner,
  no: string,
): Promise<ErasedSession[]> {
  const { rows } = await db.query<ErasedSession>(
    `with recursive below as (
       select no, external_id from transcripts.sessions where no = $1
       union
       select s.no, s.external_id from below join transcripts.sessions s
         on s.group_no = $2 and s.assistant = $3 and s.parent_key = below.external_id
     )
     select no, external_id from below`,
    [no, group, assistant],
  )
  return rows
}

export async function rememberDeleted(
  db: Db,
  { group, assistant }: Owner,
  sessions: readonly ErasedSession[],
): Promise<void> {
  await db.query(
    `insert into transcripts.deleted_sessions (group_no, assistant, external_id)
     select $1, $2, unnest($3::text[]) on conflict do nothing`,
    [group, assistant, sessions.map(({ external_id }) => external_id)],
  )
}

export interface ErasedSource {
  no: string
  assistant: AssistantId
  path: string
  /** Other sessions are in it too. */
  is_shared: boolean
}

export async function sourcesOf(db: Db, nos: readonly string[]): Promise<ErasedSource[]> {
  const { rows } = await db.query<ErasedSource>(
    `select s.no, s.assistant, s.path, exists (
       select from transcripts.session_sources other
       where other.source_no = s.no and other.session_no <> all($1::bigint[])
     ) as is_shared
     from transcripts.sources s
     where s.no in (select source_no from transcripts.session_sources where session_no = any($1::bigint[]))`,
    [nos],
  )
  return rows
}

/**
 * The source stays, with its position, so that a watcher does not send it again, and with the session to which further
 * lines belong that name none: only the first line may name it.
 */
export async function emptySources(db: Db, nos: readonly string[]): Promise<void> {
  await db.query('delete from transcripts.chunks where source_no = any($1::bigint[])', [nos])
  await db.query('delete from transcripts.source_blobs where source_no = any($1::bigint[])', [nos])
  await db.query(
    `update transcripts.sources s set lines = 0, derived = 0, parser_state = jsonb_build_object(
       'reader', null, 'session', (
         select min(held.external_id) from transcripts.session_sources link
         join transcripts.sessions held on held.no = link.session_no where link.source_no = s.no
       ))::text
     where s.no = any($1::bigint[])`,
    [nos],
  )
}

/** Says that lines of these sources have changed, to a segment that is being stored and has read them before. */
export async function noteErasure(db: Db, nos: readonly string[]): Promise<void> {
  await db.query('update transcripts.sources set updated_at = now() where no = any($1::bigint[])', [nos])
}

/** Images that only these sessions show leave the sources that other sessions share. */
export async function dropImages(db: Db, nos: readonly string[], sources: readonly string[]): Promise<void> {
  await db.query(
    `delete from transcripts.source_blobs b where b.source_no = any($2::bigint[])
       and b.sha256 in (select image from transcripts.messages
                        where session_no = any($1::bigint[]) and image is not null)
       and not exists (
         select from transcripts.session_sources link
         join transcripts.messages m on m.session_no = link.session_no and m.image = b.sha256
         where link.source_no = b.source_no and link.session_no <> all($1::bigint[]))`,
    [nos, sources],
  )
}

export async function eraseSessions(db: Db, nos: readonly string[]): Promise<void> {
  await db.query('delete from transcripts.sessions where no = any($1::bigint[])', [nos])
  await db.query('delete from transcripts.usage where session_no = any($1::bigint[])', [nos])
  await db.query('delete from transcripts.messages where session_no = any($1::bigint[])', [nos])
  await db.query('delete from transcripts.erased_sessions where session_no = any($1::bigint[])', [nos])
}

export async function dropUnusedBlobs(db: Db, group: number): Promise<void> {
  await db.query(
    `delete from transcripts.blobs b where b.group_no = $1 and not exists (
       select from transcripts.source_blobs used join transcripts.sources s on s.no = used.source_no
       where used.sha256 = b.sha256 and s.group_no = b.group_no)`,
    [group],
  )
}

/** Messages of sessions that went with their group, in portions. Returns whether there is more. */
export async function sweepErased(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ session_no: string }>(
    'select session_no from transcripts.erased_sessions limit 1',
  )
  const no = rows[0]?.session_no
  if (no === undefined) return false
  const { rowCount } = await db.query(
    `delete from transcripts.messages where session_no = $1
       and key in (select key from transcripts.messages where session_no = $1 limit ${portion})`,
    [no],
  )
  if (rowCount === portion) return true
  await db.query('delete from transcripts.usage where session_no = $1', [no])
  await db.query('delete from transcripts.erased_sessions where session_no = $1', [no])
  return true
}
