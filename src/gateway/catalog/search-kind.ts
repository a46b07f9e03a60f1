import { sql, type Kysely, type Selectable } from 'kysely'
import type { SearchDocument, SearchKind } from '#kernel/search'
import { listCustomProviders, type GatewayTables } from './provider-store.ts'

type Db = Kysely<GatewayTables>
type ModelRow = Omit<
  Selectable<GatewayTables['gateway.models']>,
  'created' | 'cache_read_price_per_1m' | 'cache_write_price_per_1m' | 'request_price' | 'other_prices'
>

/** A synchronisation stamps its rows before it commits; so far back they are read again. */
const overlapMs = 60_000

/** The catalogue of models for the search: each group finds those that it synchronised. */
export function createModelSearchKind(db: Db, builtIn: ReadonlyMap<string, string>): SearchKind {
  return {
    kind: 'model',
    title: 'Models',
    async changed(after, limit) {
      const rows = await selectModels(db, after, limit)
      const names = await customNames(db)
      const documents = rows.flatMap((row) => {
        const name = names.get(`${row.group_id}/${row.provider_id}`) ?? builtIn.get(row.provider_id)
        return name === undefined ? [] : [toDocument(row, name)]
      })
      const last = rows.at(-1)
      if (rows.length === limit && last) return { documents, cursor: cursorAt(last), more: true }
      const recent = new Date(Date.now() - overlapMs)
      const reached = last && last.synced_at < recent ? cursorAt(last) : undefined
      return { documents, cursor: reached ?? resting(after, recent, rows.length > 0), more: false }
    },
    async missing(documents) {
      const ids = documents.map(({ id }) => id)
      // By the table's key: searches ask too, and a group's models are thousands.
      const present = await sql<{ key: string }>`
        select concat_ws('/', m.group_id, m.provider_id, m.id) as key
        from unnest(${ids}::text[]) as given (key), regexp_match(given.key, '^([^/]+)/([^/]+)/(.*)$') as part
        join gateway.models m on (m.group_id, m.provider_id, m.id) = (part[1]::uuid, part[2], part[3])`.execute(
        db,
      )
      const keys = new Set(present.rows.map(({ key }) => key))
      return ids.filter((id) => !keys.has(id))
    },
  }
}

const idOf = (row: ModelRow): string => `${row.group_id}/${row.provider_id}/${row.id}`
const cursorAt = (row: ModelRow): string =>
  JSON.stringify([row.synced_at, row.group_id, row.provider_id, row.id])
const lowestGroup = '00000000-0000-0000-0000-000000000000'

/** Nothing new: the cursor stays, unless what was read is so young that it must be read again. */
function resting(after: string | null, recent: Date, hasRows: boolean): string {
  return after !== null && !hasRows ? after : JSON.stringify([recent, lowestGroup, '', ''])
}

async function selectModels(db: Db, after: string | null, limit: number): Promise<ModelRow[]> {
  const beginning = [new Date(0).toISOString(), lowestGroup, '', '']
  const [at, group, provider, id] = after === null ? beginning : (JSON.parse(after) as string[])
  const { rows } = await sql<ModelRow>`
    select group_id, provider_id, id, name, context_length, max_output, input_price_per_1m, output_price_per_1m,
      capabilities, synced_at
    from gateway.models where (synced_at, group_id, provider_id, id) > (${at}, ${group}::uuid, ${provider}, ${id})
    order by synced_at, group_id, provider_id, id limit ${limit}`.execute(db)
  return rows
}

/** What groups call the providers that they added, by group and provider. */
async function customNames(db: Db): Promise<Map<string, string>> {
  const rows = await listCustomProviders(db)
  return new Map(rows.map(({ group_id, id, name }) => [`${group_id}/${id}`, name]))
}

function toDocument(row: ModelRow, provider: string): SearchDocument {
  const facts = [
    `The model ${row.id}${row.name ? ` (${row.name})` : ''} of ${provider}.`,
    row.capabilities.length > 0 && `It can do ${row.capabilities.join(', ').replaceAll('_', ' ')}.`,
    row.context_length !== null && `Its context is ${row.context_length} tokens.`,
    row.max_output !== null && `It answers with at most ${row.max_output} tokens.`,
    row.input_price_per_1m !== null && `A million tokens of input cost $${row.input_price_per_1m}.`,
    row.output_price_per_1m !== null && `A million tokens of output cost $${row.output_price_per_1m}.`,
  ]
  return {
    groupId: row.group_id,
    id: idOf(row),
    title: row.name ?? row.id,
    text: facts.filter((fact) => fact !== false).join(' '),
    url: `/playground?model=${encodeURIComponent(row.id)}`,
    at: row.synced_at,
  }
}
