import { kinds, origins, roles } from '../derive/index.ts'
import type { Db } from './source-store.ts'

export interface MessagePageRow {
  key: string
  place: number
  created_at: Date | null
  parent_key: string | null
  role: number
  kind: number
  origin: number | null
  is_error: boolean | null
  is_sidechain: boolean | null
  is_cut: boolean
  model: string | null
  tool_name: string | null
  call_id: string | null
  image: string | null
  image_mime: string | null
  image_bytes: number | null
  tool_input: string | null
  content: string | null
  is_copied: boolean
}

/** A place between two messages. */
export interface PlaceKey {
  place: number
  key: string
}

/** What of a session is wanted; null: everything. */
export type ShownMessages = 'prompts' | 'tools' | 'errors' | null

/** A failure is shown with its call. */
const shownConditions = {
  prompts: `m.role = ${roles.indexOf('user')} and m.origin = ${origins.indexOf('human')}`,
  tools: `(m.kind in (${kinds.indexOf('tool_call')}, ${kinds.indexOf('tool_result')})
    or m.kind = ${kinds.indexOf('image')} and m.role = ${roles.indexOf('tool')})`,
  errors: `(m.is_error or m.call_id in (
    select e.call_id from transcripts.messages e where e.session_no = $1 and e.is_error))`,
} as const

export interface MessageQuery {
  show: ShownMessages
  sessionNo: string
  /** The session that this one was forked from. */
  forkNo: string | null
  group: number
  after: PlaceKey | null
  isDescending: boolean
  limit: number
}

const hex = (column: string) => `replace(${column}::text, '-', '')`

/** A page ends before its texts have more bytes than this: outputs of tools are long. One message is always shown. */
const maxPageBytes = 8 * 1_024 * 1_024

export interface Messages {
  rows: MessagePageRow[]
  goesOn: boolean
}

/** The sizes of texts are known without reading them, so what does not fit costs nothing. */
export async function readMessages(db: Db, query: MessageQuery): Promise<Messages> {
  const values: unknown[] = [query.sessionNo, query.limit, query.group, query.forkNo]
  const [compare, order] = query.isDescending ? ['<', 'desc'] : ['>', 'asc']
  const beyond =
    query.after === null
      ? ''
      : `and (m.place, m.key) ${compare} ($${values.push(query.after.place)}::float8, $${values.push(query.after.key)}::uuid)`
  const { rows } = await db.query<MessagePageRow & { goes_on: boolean }>(
    `with next as (
       select m.* from transcripts.messages m
       where m.session_no = $1 ${query.show === null ? '' : `and ${shownConditions[query.show]}`} ${beyond}
       order by m.place ${order}, m.key ${order} limit $2::int + 1
     ), sized as (
       select *, row_number() over in_order as nth, count(*) over () as found,
         sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
       from next window in_order as (order by place ${order}, key ${order})
     )
     select ${hex('m.key')} as key, m.place, m.created_at, ${hex('m.parent_key')} as parent_key, m.role, m.kind,
       m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
       encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
       octet_length(b.data) as image_bytes, m.tool_input, m.content,
       exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
       m.nth < m.found as goes_on
     from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
     where m.nth = 1 or m.nth <= $2 and m.bytes <= ${maxPageBytes}
     order by m.nth`,
    values,
  )
  return {
    rows: rows.map(({ goes_on: _goesOn, ...row }) => row),
    goesOn: rows.at(-1)?.goes_on ?? false,
  }
}

export async function placeOf(db: Db, sessionNo: string, key: string): Promise<PlaceKey | undefined> {
  const { rows } = await db.query<PlaceKey>(
    `select place, ${hex('key')} as key from transcripts.messages where session_no = $1 and key = $2::uuid`,
    [sessionNo, key],
  )
  return rows[0]
}

export interface ImageRow {
  mime: string | null
  data: Buffer
}

/** An image that a message of the session shows. */
export async function findImage(
  db: Db,
  session: { no: string; group_no: number },
  sha256: string,
): Promise<ImageRow | undefined> {
  const { rows } = await db.query<ImageRow>(
    `select coalesce(b.mime, m.image_mime) as mime, b.data from transcripts.messages m
     join transcripts.blobs b on b.group_no = $2 and b.sha256 = m.image
     where m.session_no = $1 and m.image = $3 limit 1`,
    [session.no, session.group_no, Buffer.from(sha256, 'hex')],
  )
  return rows[0]
}
