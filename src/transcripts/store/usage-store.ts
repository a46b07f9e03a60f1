import type { TokenCounts } from '../assistants/index.ts'
import { bigintArray, textArray, timeArray, uuidArray } from '#kernel/binary-array'
import type { Db } from './source-store.ts'

export interface StoredUsage {
  key: string
  version: number
  session_no: string
  model: string | null
  input_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  output_tokens: number
}

export async function findUsage(
  db: Db,
  group: number,
  assistant: number,
  keys: readonly string[],
): Promise<StoredUsage[]> {
  const { rows } = await db.query<StoredUsage>(
    `select replace(key::text, '-', '') as key, version, session_no, model, input_tokens::float8 as input_tokens,
       cached_tokens::float8 as cached_tokens, cache_write_tokens::float8 as cache_write_tokens,
       output_tokens::float8 as output_tokens
     from transcripts.usage where group_no = $1 and assistant = $2 and key = any($3::uuid[])`,
    [group, assistant, uuidArray(keys)],
  )
  return rows
}

export interface NewUsage {
  key: string
  sessionNo: string
  model: string | null
  tokens: TokenCounts
  at: number | null
}

export async function saveUsage(
  db: Db,
  group: number,
  assistant: number,
  version: number,
  usage: readonly NewUsage[],
): Promise<void> {
  const counts = (name: keyof TokenCounts) => bigintArray(usage.map(({ tokens }) => tokens[name]))
  await db.query(
    `insert into transcripts.usage (group_no, assistant, version, key, session_no, model, input_tokens, cached_tokens,
       cache_write_tokens, output_tokens, created_at)
     select $1, $2, $3, * from unnest($4::uuid[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
       $10::bigint[], $11::timestamptz[])
     on conflict (group_no, assistant, key) do update set version = excluded.version, session_no = excluded.session_no, model = excluded.model,
       input_tokens = excluded.input_tokens, cached_tokens = excluded.cached_tokens,
       cache_write_tokens = excluded.cache_write_tokens, output_tokens = excluded.output_tokens,
       created_at = excluded.created_at`,
    [
      group,
      assistant,
      version,
      uuidArray(usage.map(({ key }) => key)),
      bigintArray(usage.map(({ sessionNo }) => Number(sessionNo))),
      textArray(usage.map(({ model }) => model)),
      counts('input'),
      counts('cached'),
      counts('cacheWrite'),
      counts('output'),
      timeArray(usage.map(({ at }) => at)),
    ],
  )
}

export interface NewUnknown {
  sessionNo: string
  hash: string
  reason: string
  line: string
  isCut: boolean
}

/** Records that no parser knows. Returns how many of each session were new. */
export async function saveUnknown(db: Db, records: readonly NewUnknown[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ session_no: string; records: number }>(
    `with added as (
       insert into transcripts.unknown_records (session_no, hash, reason, line, is_cut)
       select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::boolean[])
       on conflict do nothing returning session_no
     )
     select session_no, count(*)::int as records from added group by 1`,
    [
      bigintArray(records.map(({ sessionNo }) => Number(sessionNo))),
      uuidArray(records.map(({ hash }) => hash)),
      textArray(records.map(({ reason }) => reason)),
      textArray(records.map(({ line }) => line)),
      records.map(({ isCut }) => isCut),
    ],
  )
  return new Map(rows.map(({ session_no, records: count }) => [session_no, count]))
}
