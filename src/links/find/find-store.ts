import { sql, type RawBuilder } from 'kysely'
import type { Queries } from '../tables.ts'
import type { ThingType } from '../shapes/thing.ts'
import { codeRules } from './code-rules.ts'
import { recordRules } from './record-rules.ts'
import type { Rule } from './rule.ts'
import { idTypes, type Source } from './sources.ts'
import { workRules } from './work-rules.ts'

export const rules: readonly Rule[] = [...recordRules, ...codeRules, ...workRules]

/** A change stamps its row before it commits; rows this far back are read again. */
const overlap = sql`interval '60 seconds'`

/** Where a row is: times stay text, whose microseconds a date would lose. */
export interface Position {
  at: string
  id: string
}

export interface Changes {
  ids: string[]
  /** Of rows; several may be changes of one thing. */
  count: number
  last: Position | undefined
}

/** The next things that have changed, the oldest change first: behind a row, or from where the cursor is. */
export async function readChanges(
  db: Queries,
  source: Source,
  limit: number,
  after: Position | undefined,
): Promise<Changes> {
  const [view, thing] = [sql.table(`links.${source.view}`), sql.ref(source.thing)]
  const cursor = (column: 'at' | 'id') =>
    sql`(select ${sql.ref(column)} from links.cursors where source = ${source.name})`
  const [at, id] = after
    ? [sql`${after.at}::timestamptz`, sql`${after.id}`]
    : [sql`coalesce(${cursor('at')}, '-infinity')`, sql`coalesce(${cursor('id')}, ${firstOf(source)})`]
  const { rows } = await sql<{ thing: string; at: string; id: string }>`
    select ${thing} as thing, changed_at::text as at, id::text as id from ${view}
    where (changed_at, id) > (${at}, ${id}::${typeOf(source.idType)}) and changed_at <= now() + interval '1 ms'
    order by changed_at, id limit ${limit}`.execute(db)
  return { ids: [...new Set(rows.map(({ thing: of }) => of))], count: rows.length, last: rows.at(-1) }
}

const firstOf = ({ idType }: Source): string =>
  idType === 'uuid' ? '00000000-0000-0000-0000-000000000000' : ''
const typeOf = (idType: 'uuid' | 'text'): RawBuilder<unknown> => (idType === 'uuid' ? sql`uuid` : sql`text`)

/** To the last row, or so far back that a late commit is not missed, also where a full batch ended with it. */
export async function moveCursor(db: Queries, source: Source, last: Position): Promise<void> {
  await sql`
    insert into links.cursors (source, at, id)
    values (${source.name}, least(${last.at}::timestamptz, now() - ${overlap}),
      case when ${last.at}::timestamptz < now() - ${overlap} then ${last.id} else ${firstOf(source)} end)
    on conflict (source) do update set at = excluded.at, id = excluded.id`.execute(db)
}

/** Finds the links of the things again: new ones are added, those that no longer hold are deleted. */
export async function refresh(db: Queries, type: ThingType, ids: readonly string[]): Promise<void> {
  const idType = idTypes.get(type)
  if (idType === undefined || ids.length === 0) return
  for (const rule of rules)
    for (const side of ['from', 'to'] as const)
      if (rule[side] === type && rule.ends[side] !== undefined)
        await applyRule(db, rule, { side, ids, idType })
  if (type === 'commit') await refresh(db, 'deployment', await deploymentsInShort(db, ids))
}

/** Deployments that name one of the commits by a shortened hash: until the commit is there they are linked to that. */
async function deploymentsInShort(db: Queries, shas: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct from_id as id from links.links
    where from_type = 'deployment' and to_type = 'commit' and how = 'exact' and to_id in (
      select left(sha, length) from unnest(${shas}::text[]) as sha, generate_series(7, 39) as length
      where length < char_length(sha))`.execute(db)
  return rows.map(({ id }) => id)
}

interface ChangedThings {
  side: 'from' | 'to'
  ids: readonly string[]
  idType: 'uuid' | 'text'
}

async function applyRule(db: Queries, rule: Rule, { side, ids, idType }: ChangedThings): Promise<void> {
  const isChanged = sql<boolean>`${sql.ref(`${rule.ends[side]}.id`)} = any(${ids}::${typeOf(idType)}[])`
  const { from, to, relation, how } = rule
  const confidence = how === 'exact' ? sql`1` : sql`confidence`
  await sql`
    with found as materialized (
      select distinct on (group_id, from_id, to_id) group_id, from_id::text as from_id, to_id::text as to_id,
        left(evidence, 1000) as evidence, (${confidence})::real as confidence
      from (${rule.find(isChanged)}) as each
      -- One that no index can hold would stop all others.
      where octet_length(from_id::text) + octet_length(to_id::text) <= 2000
      order by group_id, from_id, to_id, evidence
    ), gone as (
      delete from links.links l
      where l.from_type = ${from} and l.to_type = ${to} and l.relation = ${relation} and l.how = ${how}
        and ${sql.ref(`l.${side}_id`)} = any(${ids}::text[])
        and not exists (
          select from found f where f.group_id = l.group_id and f.from_id = l.from_id and f.to_id = l.to_id)
    )
    insert into links.links as known
      (group_id, from_type, from_id, to_type, to_id, relation, how, evidence, confidence)
    select group_id, ${from}, from_id, ${to}, to_id, ${relation}, ${how}, evidence, confidence from found
    order by group_id, from_id, to_id
    on conflict (group_id, from_type, from_id, to_type, to_id, relation, how) do update
      set evidence = excluded.evidence, confidence = excluded.confidence
      where (known.evidence, known.confidence) is distinct from (excluded.evidence, excluded.confidence)`.execute(
    db,
  )
}
