import pg, { escapeIdentifier, type ClientConfig } from 'pg'
import { Fault, faults, messageOf } from '#kernel/errors'
import { isDatabaseDown, type Database, withLock } from '#kernel/db'
import { mask } from '#kernel/log'
import type { Logins } from './logins.ts'
import type { Place } from './places.ts'
import { rolesOf, type AgentRoles } from './roles.ts'
import { setupScript } from './setup-script.ts'

export interface ReadyDeps {
  database: Database
  logins: Logins
  platform: string
  firstGroup: () => Promise<string>
  poolSize: number
}

/** How the proxy logs in to a database, for reading and for writing. */
export interface ReadyDatabase {
  reader: ClientConfig
  agent: ClientConfig
}

/**
 * Makes a database ready for the agents. On our own server the roles are made, or their rights brought up to date, at
 * the first use in each process; elsewhere `signalbox sql setup` has done so before, and it is only checked.
 */
export async function makeReady(deps: ReadyDeps, place: Place): Promise<ReadyDatabase> {
  const roles = rolesOf(deps.platform, place.name)
  if (place.isOurs)
    await withLock(deps.database.sessions, `sql setup ${place.name}`, () => setUp(deps, place))
  const [reader, agent] = await Promise.all([deps.logins.find(roles.reader), deps.logins.find(roles.agent)])
  if (reader && agent)
    return {
      reader: loggedIn(place.admin, roles.reader, reader.reveal()),
      agent: loggedIn(place.admin, roles.agent, agent.reveal()),
    }
  await refuseStrong(place)
  // The address itself names a weak role: it is used as it is.
  return { reader: place.admin, agent: place.admin }
}

/** Creates the roles and gives them their rights. Safe to repeat. */
export async function setUp(
  deps: ReadyDeps,
  place: Place,
  schemas: readonly string[] = ['public'],
): Promise<void> {
  if (place.kind === 'workspace') await createDatabase(place)
  const { statements } = await scriptFor(deps, place, schemas)
  await asAdmin(place.admin, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

export async function scriptFor(
  deps: ReadyDeps,
  place: Place,
  schemas: readonly string[],
): Promise<{ roles: AgentRoles; statements: string[] }> {
  const roles = rolesOf(deps.platform, place.name)
  const [reader, agent] = [await deps.logins.ensure(roles.reader), await deps.logins.ensure(roles.agent)]
  const statements = setupScript({
    place,
    database: databaseOf(place.admin),
    roles,
    passwords: { reader: reader.reveal(), agent: agent.reveal() },
    groupId: await deps.firstGroup(),
    // Cancelling takes a connection of its own, and several processes share the roles.
    connections: Math.max(20, deps.poolSize * 8),
    schemas,
  })
  return { roles, statements }
}

async function createDatabase(place: Place): Promise<void> {
  const name = databaseOf(place.admin)
  await asAdmin({ ...place.admin, database: 'postgres' }, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  })
}

/** A superuser passes every wall of the database, so the proxy does not run agents' statements as one. */
async function refuseStrong(place: Place): Promise<void> {
  const rows = await asAdmin(place.admin, async (client) => {
    const result = await client.query<{ reason: string }>(
      `select case when rolsuper then 'a superuser' when rolcreaterole then 'allowed to create roles'
          when rolbypassrls then 'exempt from row security'
          when pg_has_role(oid, 'pg_execute_server_program', 'member') or pg_has_role(oid, 'pg_write_server_files', 'member')
            or pg_has_role(oid, 'pg_read_server_files', 'member') then 'allowed to use files of the server' end as reason
        from pg_roles where rolname = current_user`,
    )
    return result.rows
  })
  const reason = rows[0]?.reason
  if (reason)
    throw new Fault(
      faults.unavailable,
      `The database ${place.name} is not set up: its address logs in as ${reason}. Run: signalbox sql setup ${place.name}`,
    )
}

export async function asAdmin<T>(config: ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  // A connection that is lost between two queries must not end the process; the next query fails.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
    throw new Fault(faults.unavailable, 'The database cannot be reached. Try again later.', {
      internal: mask(messageOf(error)),
      headers: { 'retry-after': '5' },
      cause: error,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

function loggedIn(admin: ClientConfig, user: string, password: string): ClientConfig {
  const { connectionString } = admin
  if (connectionString === undefined) return { ...admin, user, password }
  const url = new URL(connectionString)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return { ...admin, connectionString: url.href }
}

function databaseOf(config: ClientConfig): string {
  if (config.database !== undefined) return config.database
  const name = new URL(config.connectionString ?? '').pathname.slice(1)
  return decodeURIComponent(name)
}
