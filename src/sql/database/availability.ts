import { Fault } from '#kernel/errors'
import { ours, type Connections } from '../run/pools.ts'
import { inSession } from '../run/session.ts'
import type { Place } from './places.ts'

export interface Ability {
  ok: boolean
  /** Why not, and what to do; where it is possible, what is left out. */
  reason: string | null
}

/** What the proxy can do in a database now. */
export interface Availability {
  read: Ability
  write: Ability
  migrate: Ability
  undo: Ability
}

const yes: Ability = { ok: true, reason: null }
const no = (reason: string): Ability => ({ ok: false, reason })

export async function availabilityOf(
  place: Place,
  connect: () => Promise<Connections>,
): Promise<Availability> {
  let connections: Connections
  try {
    connections = await connect()
    const { release } = await connections.take('read', ours)
    release(false)
  } catch (error) {
    const read = no(reasonOf(error))
    return { read, write: read, migrate: read, undo: read }
  }
  try {
    const rights = await rightsIn(connections, place)
    const write = writeWith(place, rights)
    return { read: yes, write, migrate: write.ok ? migrateWith(place, rights) : write, undo: write }
  } catch (error) {
    const write = no(reasonOf(error))
    return { read: yes, write, migrate: write, undo: write }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Fault ? error.message : 'The database cannot be used. The log of the server says why.'

interface Rights {
  tables: number
  writable: number
  /** Schemas in which nothing can be created. */
  closed: string[]
  /** Tables of other roles. */
  others: string[]
  /** Null: there is no list of migrations. */
  can_note: boolean | null
}

const rightsQuery = `
  with tables as (
    select format('%I.%I', n.nspname, c.relname) as name, c.oid, c.relowner
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1) and c.relkind in ('r', 'p') and c.relname <> 'signalbox_migrations'
  )
  select (select count(*)::int from tables) as tables,
    (select count(*)::int from tables where has_table_privilege(oid, 'insert, update, delete')) as writable,
    array(select name from tables where not pg_has_role(relowner, 'usage') order by name) as others,
    array(select name from unnest($1::text[]) name
      where coalesce(not has_schema_privilege(to_regnamespace(quote_ident(name)), 'create'), true)) as closed,
    has_table_privilege(to_regclass('signalbox_migrations'), 'select, insert') as can_note`

async function rightsIn(connections: Connections, place: Place): Promise<Rights> {
  const { signal } = new AbortController()
  const options = {
    access: 'write',
    owner: ours,
    statementMs: 10_000,
    lockMs: 1_000,
    ending: 'rollback',
    signal,
  } as const
  const schemas = place.kind === 'platform' ? ['records'] : place.schemas
  const { rows } = await inSession(connections, options, (client) =>
    client.query<Rights>(rightsQuery, [schemas]),
  )
  return rows[0] as Rights
}

function writeWith(place: Place, { tables, writable }: Rights): Ability {
  if (tables === 0 || writable > 0) return yes
  return no(`The agents' login may not change any table in ${place.schemas.join(', ')}. ${repair(place)}`)
}

function migrateWith(place: Place, { closed, others, can_note: canNote }: Rights): Ability {
  if (place.kind === 'platform')
    return { ok: true, reason: 'Rows only: the structure of the records belongs to Signalbox.' }
  if (closed.length > 0) return no(`Agents may not create anything in ${closed.join(', ')}. ${repair(place)}`)
  if (canNote === false) return no(`Agents may not add to the list of migrations. ${repair(place)}`)
  if (others.length === 0) return yes
  const named = others.slice(0, 5).join(', ')
  const more = others.length > 5 ? ` and ${others.length - 5} more` : ''
  return { ok: true, reason: `Agents cannot alter tables of other roles: ${named}${more}. ${repair(place)}` }
}

const repair = ({ name }: Place): string => `Run: npx signalbox sql setup ${name}`
