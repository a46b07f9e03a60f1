import type { MessageColumns } from '../derive/index.ts'
import type { Db } from './source-store.ts'

export interface InsertedMessages {
  session_no: string
  messages: number
  tool_calls: number
  prompts: number
}

const fields = `key, place, created_at, parent_key, role, kind, origin, is_error, is_sidechain, is_partial, is_cut,
  model, tool_name, call_id, image, image_mime, tool_input, content`

/** In the order of `fields`. Values that no line gave are null, or -1 in the small numbers. */
const types =
  'int4 uuid float8 timestamptz uuid int2 int2 int2 int2 int2 int2 int2 text text text bytea text text text'
    .split(' ')
    .map((type, index) => `$${index + 3}::${type}[]`)
    .join(', ')

/** Whether the stored row is of an older parser: then it is replaced, otherwise merged. */
const isOld = 'kept.version < excluded.version'
const keepsContent = `(excluded.content is null or kept.content is not null and not kept.is_partial and excluded.is_partial)`

const stays = (column: string) =>
  `${column} = case when ${isOld} then excluded.${column} else coalesce(kept.${column}, excluded.${column}) end`
const follows = (column: string) =>
  `${column} = case when ${isOld} then excluded.${column} else coalesce(excluded.${column}, kept.${column}) end`

const merged = [
  `place = case when ${isOld} or kept.place = 'infinity' then excluded.place else kept.place end`,
  stays('created_at'),
  'version = greatest(kept.version, excluded.version)',
  'role = excluded.role',
  'kind = excluded.kind',
  ...[
    'parent_key',
    'origin',
    'is_error',
    'is_sidechain',
    'model',
    'tool_name',
    'call_id',
    'image',
    'image_mime',
    'tool_input',
  ].map(follows),
  `is_cut = case when not ${isOld} and ${keepsContent} and excluded.tool_input is null then kept.is_cut
     else excluded.is_cut end`,
  `is_partial = case when not ${isOld} and ${keepsContent} then kept.is_partial else excluded.is_partial end`,
  `content = case when not ${isOld} and ${keepsContent} then kept.content else excluded.content end`,
].join(',\n       ')

const compared = `role, kind, parent_key, origin, is_error, is_sidechain, is_partial, model, tool_name, call_id, image,
  tool_input, content`
const rowOf = (table: string) => `row(${compared.replaceAll(/\w+/g, (column) => `${table}.${column}`)})`

/**
 * Inserts messages, or merges them with those that have the same key. Sessions are given by number, in the order of
 * the batch; messages of a session without a number are left out. Returns what was new.
 */
export async function storeMessages(
  db: Db,
  version: number,
  sessionNos: readonly (string | null)[],
  { columns }: MessageColumns,
): Promise<InsertedMessages[]> {
  const { rows } = await db.query<InsertedMessages>({
    name: 'transcripts-messages',
    text: `with done as (
      insert into transcripts.messages as kept (session_no, version, ${fields})
      select ($2::bigint[])[session], $1, key, coalesce(place, 'infinity'), created_at, parent_key, role, kind,
        nullif(origin, -1), nullif(is_error, -1) = 1, nullif(is_sidechain, -1) = 1, is_partial = 1, is_cut = 1,
        model, tool_name, call_id, image, image_mime, tool_input, content
      from unnest(${types}) as given (session, ${fields})
      where ($2::bigint[])[session] is not null
      on conflict (session_no, key) do update set
       ${merged}
      where ${isOld} or kept.place = 'infinity' or kept.created_at is null
        or ${rowOf('kept')} is distinct from ${rowOf('excluded')}
      returning session_no, kind, role, origin, xmax = 0 as is_new
    )
    select session_no, count(*)::int as messages, count(*) filter (where kind = 2)::int as tool_calls,
      count(*) filter (where kind = 0 and role = 0 and origin = 1)::int as prompts
    from done where is_new group by session_no`,
    values: [
      version,
      sessionNos,
      ...columns.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength)),
    ],
  })
  return rows
}
