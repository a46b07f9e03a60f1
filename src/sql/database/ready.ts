import { escapeIdentifier, type ClientConfig } from 'pg'
import type { Kysely } from 'kysely'
import { Fault, faults, messageOf } from '#kernel/errors'
import { withLock, type Database } from '#kernel/db'
import { mask } from '#kernel/mask'
import { asLogin, databaseOf, inTransaction, isRefused, loggedIn } from './as-login.ts'
import type { Logins } from './logins.ts'
import type { Place } from './places.ts'
import { rolesOf } from './roles.ts'
import { noteSetUp } from './setup-store.ts'
import { setupScript, type SetupScript } from './setup-script.ts'
import type { DatabaseTables } from './tables.ts'

export interface ReadyDeps {
  database: Database
  db: Kysely<DatabaseTables>
  logins: Logins
  poolSize: number
}

/** How the proxy logs in to a database, for reading and for writing. */
export interface ReadyDatabase {
  reader: ClientConfig
  agent: ClientConfig
  /** The role that writes, if it is not the login itself: it owns what agents may change and what they create. */
  writeAs: string | null
}

/**
 * Makes a database ready for the agents. On our own server the roles are made, or their rights brought up to date, at
 * the first use in each process; elsewhere `signalbox sql setup` has done so before, and it is only checked.
 */
export async function makeReady(deps: ReadyDeps, place: Place): Promise<ReadyDatabase> {
  if (place.isOurs)
    await withLock(deps.database.sessions, `sql setup ${place.rolePrefix}`, () => setUpOurs(deps, place))
  const logins = await rolesLogins(deps, place)
  if (logins && (place.isSetUp || (await canLogIn(deps, place, logins))))
    return { ...logins, writeAs: place.kind === 'foreign' ? await ownerRoleOf(place, logins.agent) : null }
  await refuseStrong(place)
  // The address itself names a weak role: it is used as it is.
  return { reader: place.address, agent: place.address, writeAs: null }
}

/** Undefined: no set-up was ever begun. */
export async function rolesLogins(
  { logins }: ReadyDeps,
  place: Place,
): Promise<{ reader: ClientConfig; agent: ClientConfig } | undefined> {
  const roles = rolesOf(place)
  const [reader, agent] = await Promise.all([logins.find(roles.reader), logins.find(roles.agent)])
  if (!reader || !agent) return undefined
  return {
    reader: loggedIn(place.address, roles.reader, reader.reveal()),
    agent: loggedIn(place.address, roles.agent, agent.reveal()),
  }
}

/** A script was printed, and perhaps an administrator has run it since; then its roles are used from now on. */
export async function confirmPrinted(deps: ReadyDeps, place: Place): Promise<void> {
  if (place.isSetUp) return
  const logins = await rolesLogins(deps, place)
  // A database that cannot be reached says so when it is tried.
  if (logins) await canLogIn(deps, place, logins).catch(() => false)
}

async function canLogIn(
  { db }: ReadyDeps,
  place: Place,
  logins: { reader: ClientConfig; agent: ClientConfig },
): Promise<boolean> {
  try {
    for (const login of [logins.reader, logins.agent]) await asLogin(login, async () => undefined)
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
  await noteSetUp(db, place.rolePrefix, place.schemas)
  return true
}

/** Null: set up before there was such a role, so agents may change rows but no structure. */
async function ownerRoleOf(place: Place, agent: ClientConfig): Promise<string | null> {
  const { owner } = rolesOf(place)
  try {
    return await asLogin(agent, async (client) => {
      const { rowCount } = await client.query(
        `select from pg_roles where rolname = $1 and pg_has_role(current_user, oid, 'usage')`,
        [owner],
      )
      return rowCount === 0 ? null : owner
    })
  } catch (error) {
    throw refusedLogin(place, error)
  }
}

/** A login that worked once and no longer does: somebody changed the role, or restored the database from a backup. */
export function refusedLogin(place: Place, error: unknown): unknown {
  if (!isRefused(error)) return error
  return new Fault(
    faults.unavailable,
    `The database ${place.name} refuses the login that was set up for agents: ${mask(messageOf(error))}. To repair it, run: npx signalbox sql setup ${place.name}`,
    { cause: error },
  )
}

async function setUpOurs(deps: ReadyDeps, place: Place): Promise<void> {
  if (place.kind === 'workspace') await createDatabase(place)
  const { roles, rights } = await scriptFor(deps, place, place.schemas)
  await inTransaction(place.address, [...roles, ...rights])
}

/** What makes the roles and their rights. The passwords are made if there are none; they count when they have logged in. */
export async function scriptFor(
  { logins, poolSize }: ReadyDeps,
  place: Place,
  schemas: readonly string[],
): Promise<SetupScript> {
  const roles = rolesOf(place)
  const reader = await logins.ensure(place.groupId, roles.reader)
  const agent = await logins.ensure(place.groupId, roles.agent)
  return setupScript({
    place,
    database: databaseOf(place.address),
    roles,
    passwords: { reader: reader.reveal(), agent: agent.reveal() },
    groupId: place.groupId,
    // Cancelling takes a connection of its own, and several processes share the roles.
    connections: Math.max(20, poolSize * 8),
    schemas,
  })
}

async function createDatabase(place: Place): Promise<void> {
  const name = databaseOf(place.address)
  await asLogin({ ...place.address, database: 'postgres' }, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  })
}

/** A superuser passes every wall of the database, so the proxy does not run agents' statements as one. */
async function refuseStrong(place: Place): Promise<void> {
  const [row] = await asLogin(place.address, async (client) => {
    const { rows } = await client.query<{ reason: string | null }>(
      `select case when rolsuper then 'a superuser' when rolcreaterole then 'allowed to create roles'
          when rolbypassrls then 'exempt from row security'
          when pg_has_role(oid, 'pg_execute_server_program', 'member') or pg_has_role(oid, 'pg_write_server_files', 'member')
            or pg_has_role(oid, 'pg_read_server_files', 'member') then 'allowed to use files of the server' end as reason
        from pg_roles where rolname = current_user`,
    )
    return rows
  }).catch((error: unknown) => {
    throw refusedAddress(place, error)
  })
  if (row?.reason)
    throw new Fault(
      faults.unavailable,
      `The database ${place.name} is not set up: its address logs in as ${row.reason}. Run: npx signalbox sql setup ${place.name}`,
    )
}

function refusedAddress(place: Place, error: unknown): unknown {
  if (!isRefused(error)) return error
  return new Fault(
    faults.unavailable,
    `The database ${place.name} refuses the login of its address: ${mask(messageOf(error))}. Correct the address.`,
    { cause: error },
  )
}
