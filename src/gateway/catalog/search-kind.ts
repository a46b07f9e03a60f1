import { sql, type Kysely } from 'kysely'
import type { SearchDocument, SearchKind } from '#kernel/search'
import { listCustomProviders, type GatewayTables } from './provider-store.ts'

type Db = Kysely<GatewayTables>

interface ModelRow {
  provider_id: string
  id: string
  name: string | null
  context_length: number | null
  max_output: number | null
  input_price_per_1m: string | null
  output_price_per_1m: string | null
  capabilities: string[]
  synced_at: Date
}

/** A synchronisation stamps its rows before it commits; so far back they are read again. */
const overlapMs = 60_000

/** The catalogue of models for the search: those of built-in providers for everyone, of added ones for their groups. */
export function createModelSearchKind(db: Db, builtIn: ReadonlyMap<string, string>): SearchKind {
  return {
    kind: 'model',
    title: 'Models',
    async changed(after, limit) {
      const rows = await selectModels(db, after, limit)
      const owners = await ownersOf(db)
      const documents = rows.flatMap((row) => documentsOf(row, builtIn, owners))
      const last = rows.at(-1)
      if (rows.length === limit && last) return { documents, cursor: cursorAt(last), more: true }
      const recent = new Date(Date.now() - overlapMs)
      const reached = last && last.synced_at < recent ? cursorAt(last) : undefined
      return { documents, cursor: reached ?? resting(after, recent, rows.length > 0), more: false }
    },
    async missing(documents) {
      const present = await sql<{ key: string }>`
        select provider_id || '/' || id as key from gateway.models
        where provider_id || '/' || id = any(${documents.map(({ id }) => keyOf(id))})`.execute(db)
      const keys = new Set(present.rows.map(({ key }) => key))
      const owners = await ownersOf(db)
      return documents.flatMap(({ id }) => {
        const [key, group] = [keyOf(id), id.split('@@')[1]]
        const provider = key.slice(0, key.indexOf('/'))
        const isOwned = group === undefined ? builtIn.has(provider) : owners.get(provider)?.has(group)
        return keys.has(key) && isOwned ? [] : [id]
      })
    },
  }
}

const keyOf = (documentId: string): string => documentId.split('@@')[0] ?? ''
const cursorAt = (row: ModelRow): string => JSON.stringify([row.synced_at, row.provider_id, row.id])

/** Nothing new: the cursor stays, unless what was read is so young that it must be read again. */
function resting(after: string | null, recent: Date, hasRows: boolean): string {
  return after !== null && !hasRows ? after : JSON.stringify([recent, '', ''])
}

async function selectModels(db: Db, after: string | null, limit: number): Promise<ModelRow[]> {
  const [at, provider, id] = after === null ? [new Date(0), '', ''] : (JSON.parse(after) as string[])
  const { rows } = await sql<ModelRow>`
    select provider_id, id, name, context_length, max_output, input_price_per_1m, output_price_per_1m,
      capabilities, synced_at
    from gateway.models where (synced_at, provider_id, id) > (${at}, ${provider}, ${id})
    order by synced_at, provider_id, id limit ${limit}`.execute(db)
  return rows
}

/** Which groups have added a provider of this id, and what they call it. */
async function ownersOf(db: Db): Promise<Map<string, Map<string, string>>> {
  const owners = new Map<string, Map<string, string>>()
  for (const { id, group_id, name } of await listCustomProviders(db))
    owners.set(id, (owners.get(id) ?? new Map<string, string>()).set(group_id, name))
  return owners
}

function documentsOf(
  row: ModelRow,
  builtIn: ReadonlyMap<string, string>,
  owners: ReadonlyMap<string, ReadonlyMap<string, string>>,
): SearchDocument[] {
  const key = `${row.provider_id}/${row.id}`
  const name = builtIn.get(row.provider_id)
  if (name !== undefined) return [toDocument(row, key, null, name)]
  return [...(owners.get(row.provider_id) ?? [])].map(([groupId, called]) =>
    toDocument(row, `${key}@@${groupId}`, groupId, called),
  )
}

function toDocument(row: ModelRow, id: string, groupId: string | null, provider: string): SearchDocument {
  const facts = [
    `The model ${row.id}${row.name ? ` (${row.name})` : ''} of ${provider}.`,
    row.capabilities.length > 0 && `It can do ${row.capabilities.join(', ').replaceAll('_', ' ')}.`,
    row.context_length !== null && `Its context is ${row.context_length} tokens.`,
    row.max_output !== null && `It answers with at most ${row.max_output} tokens.`,
    row.input_price_per_1m !== null && `A million tokens of input cost $${row.input_price_per_1m}.`,
    row.output_price_per_1m !== null && `A million tokens of output cost $${row.output_price_per_1m}.`,
  ]
  return {
    groupId,
    id,
    title: row.name ?? row.id,
    text: facts.filter((fact) => fact !== false).join(' '),
    url: `/playground?model=${encodeURIComponent(row.id)}`,
    at: row.synced_at,
  }
}
