import { bigintArray } from '#kernel/binary-array'
import type { Db } from '../store/source-store.ts'
import type { StoredPart } from './merge.ts'
import { entryBytes, type IndexPart } from './part.ts'

/** Whose messages a part indexes, and by which version of the parser they were made. */
export interface PartOwner {
  group: number
  assistant: number
  version: number
}

export async function addPart(
  db: Db,
  { group, assistant, version }: PartOwner,
  sessions: readonly string[],
  { bits, messages, newest, oldest, entries, buckets, lists }: IndexPart,
): Promise<void> {
  await db.query({
    name: 'transcripts-index-part',
    text: `with part as (
      insert into transcripts.index_parts (group_no, assistant, version, bits, messages, newest, oldest, sessions, entries)
      values ($1, $2, $3, $4, $5, to_timestamp($6), to_timestamp($7), $8, $9) returning no
    )
    insert into transcripts.index_lists (part_no, bucket, data)
    select part.no, bucket, data from part, unnest($10::int4[], $11::bytea[]) as given (bucket, data)`,
    values: [
      group,
      assistant,
      version,
      bits,
      messages,
      newest,
      oldest,
      bigintArray(sessions.map(Number)),
      bytes(entries),
      bytes(buckets),
      bytes(lists),
    ],
  })
}

const bytes = (array: Uint8Array): Buffer => Buffer.from(array.buffer, array.byteOffset, array.byteLength)

/** A part, without what is read later. */
export interface PartRow {
  no: number
  bits: number
  messages: number
  /** Seconds. */
  newest: number
  sessions: string[]
}

export interface PartFilter {
  group: number
  assistants: readonly number[]
  /** Null: all of them. */
  sessions: readonly string[] | null
  since: Date | null
  until: Date | null
}

/** Parts after this one, the newest first. */
export async function listParts(
  db: Db,
  filter: PartFilter,
  after: Pick<PartRow, 'newest' | 'no'> | null,
  limit: number,
): Promise<PartRow[]> {
  const values: unknown[] = [filter.group, limit]
  const given = (value: unknown): string => `$${values.push(value)}`
  const parts = ['group_no = $1']
  if (after) parts.push(`(newest, no) < (to_timestamp(${given(after.newest)}), ${given(after.no)}::int)`)
  if (filter.assistants.length > 0) parts.push(`assistant = any(${given(filter.assistants)}::int2[])`)
  if (filter.sessions) parts.push(`sessions && ${given(filter.sessions)}::bigint[]`)
  if (filter.since) parts.push(`newest >= date_trunc('second', ${given(filter.since)}::timestamptz)`)
  if (filter.until) parts.push(`oldest <= ${given(filter.until)}::timestamptz`)
  const { rows } = await db.query<PartRow>(
    `select no, bits, messages, extract(epoch from newest)::float8 as newest, sessions from transcripts.index_parts
     where ${parts.join(' and ')} order by newest desc, no desc limit $2`,
    values,
  )
  return rows
}

export interface ListRow {
  part_no: number
  bucket: number
  data: Buffer
}

export async function readLists(db: Db, wanted: readonly Omit<ListRow, 'data'>[]): Promise<ListRow[]> {
  const { rows } = await db.query<ListRow>(
    `select part_no, bucket, data from unnest($1::int4[], $2::int4[]) as wanted (part_no, bucket)
     join transcripts.index_lists using (part_no, bucket)`,
    [wanted.map(({ part_no }) => part_no), wanted.map(({ bucket }) => bucket)],
  )
  return rows
}

export interface EntryRow {
  part_no: number
  entry: Buffer
}

export async function readEntries(
  db: Db,
  wanted: readonly { part_no: number; number: number }[],
): Promise<EntryRow[]> {
  const { rows } = await db.query<EntryRow>(
    `select part_no, substring(p.entries from number * ${entryBytes} + 1 for ${entryBytes}) as entry
     from unnest($1::int4[], $2::int4[]) as wanted (part_no, number)
     join transcripts.index_parts p on p.no = part_no`,
    [wanted.map(({ part_no }) => part_no), wanted.map(({ number }) => number)],
  )
  return rows
}

/** Lookups by key: the planner cannot know that few of many rows are wanted. */
export async function preferLookups(db: Db): Promise<void> {
  await db.query('set transaction isolation level repeatable read')
  await db.query(
    "select set_config(name, 'off', true) from unnest(array['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan']) as name",
  )
}

/** Owners with many small parts. */
export async function crowdedOwners(db: Db, smallerThan: number, count: number): Promise<PartOwner[]> {
  const { rows } = await db.query<PartOwner>(
    `select group_no as group, assistant, version from transcripts.index_parts where messages < $1
     group by 1, 2, 3 having count(*) >= $2`,
    [smallerThan, count],
  )
  return rows
}

export type PartToMerge = StoredPart & { no: number }

const stored = 'no, sessions, bits, messages, entries'

export async function smallParts(
  db: Db,
  { group, assistant, version }: PartOwner,
  smallerThan: number,
  limit: number,
): Promise<PartToMerge[]> {
  const { rows } = await db.query<Omit<PartToMerge, 'buckets'>>(
    `select ${stored} from transcripts.index_parts
     where group_no = $1 and assistant = $2 and version = $3 and messages < $4 order by newest desc, no limit $5`,
    [group, assistant, version, smallerThan, limit],
  )
  return withBuckets(db, rows)
}

export async function partsOfSessions(
  db: Db,
  group: number,
  sessions: readonly string[],
): Promise<(PartToMerge & PartOwner)[]> {
  const { rows } = await db.query<Omit<PartToMerge & PartOwner, 'buckets'>>(
    `select ${stored}, group_no as group, assistant, version from transcripts.index_parts
     where group_no = $1 and sessions && $2::bigint[]`,
    [group, sessions],
  )
  return withBuckets(db, rows)
}

async function withBuckets<Part extends { no: number }>(
  db: Db,
  parts: readonly Part[],
): Promise<(Part & Pick<StoredPart, 'buckets'>)[]> {
  const { rows } = await db.query<ListRow>(
    'select part_no, bucket, data from transcripts.index_lists where part_no = any($1::int4[])',
    [parts.map(({ no }) => no)],
  )
  const byPart = Map.groupBy(rows, ({ part_no }) => part_no)
  return parts.map((part) => ({ ...part, buckets: byPart.get(part.no) ?? [] }))
}

export async function dropParts(db: Db, nos: readonly number[]): Promise<void> {
  await db.query('delete from transcripts.index_parts where no = any($1::int4[])', [nos])
}

/** Parts of messages that an older parser made. */
export async function olderParts(
  db: Db,
  assistant: number,
  version: number,
): Promise<Pick<PartRow, 'no' | 'sessions'>[]> {
  const { rows } = await db.query<Pick<PartRow, 'no' | 'sessions'>>(
    'select no, sessions from transcripts.index_parts where assistant = $1 and version < $2',
    [assistant, version],
  )
  return rows
}
