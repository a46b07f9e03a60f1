import { escapeIdentifier, escapeLiteral, type ClientConfig } from 'pg'
import { Fault, faults, messageOf } from '#kernel/errors'
import { mask } from '#kernel/mask'
import { asLogin, databaseOf, inTransaction, isRefused } from './as-login.ts'
import type { Place } from './places.ts'
import { rolesLogins, scriptFor, type ReadyDeps } from './ready.ts'
import { rolesOf } from './roles.ts'
import { noteSchemas, noteSetUp } from './setup-store.ts'

export interface SetUpOptions {
  schemas: readonly string[]
  /** An administrator's login, used for this only; otherwise the address of the database. */
  admin?: ClientConfig
}

/** Creates the roles and gives them their rights. Safe to repeat; one that fails leaves the database as it was. */
export async function setUp(deps: ReadyDeps, place: Place, options: SetUpOptions): Promise<void> {
  if (place.isOurs)
    throw new Fault(
      faults.conflict,
      `The database ${place.name} is the server's own, which sets it up automatically.`,
    )
  const { schemas, admin = place.address } = options
  const script = await scriptFor(deps, place, schemas)
  const before = await rolesBefore(admin, place)
  try {
    await inTransaction(admin, script.roles)
    await tryLogins(deps, place)
    await giveRights(place, admin, script.rights)
  } catch (error) {
    await takeBack(admin, place, before)
    throw explained(place, error)
  }
  await noteSetUp(deps.db, place.rolePrefix, schemas)
}

/** The same as text, for an administrator to read and run. It counts once the roles can log in. */
export async function printSetUp(deps: ReadyDeps, place: Place, schemas: readonly string[]): Promise<string> {
  const script = await scriptFor(deps, place, schemas)
  if (!place.isOurs) await noteSchemas(deps.db, place.rolePrefix, schemas)
  const statements = ['begin', ...script.roles, ...script.rights, 'commit']
  return `-- Run in the database ${databaseOf(place.address)}, as a login that may create roles and has the rights of the
-- owners of the tables in ${schemas.join(', ')}. It is one transaction and safe to repeat.
${statements.join(';\n')};
`
}

/** A role that was there before must stay, and a member too. */
interface Before {
  roles: string[]
  members: string[]
}

async function rolesBefore(admin: ClientConfig, place: Place): Promise<Before> {
  const { reader, agent, owner } = rolesOf(place)
  try {
    return await asLogin(admin, async (client) => {
      const { rows } = await client.query<Before>(
        `select array(select rolname::text from pg_roles where rolname = any ($1)) as roles,
           array(select pg_get_userbyid(member)::text from pg_auth_members where roleid = to_regrole(quote_ident($2))) as members`,
        [[reader, agent, owner], owner],
      )
      return rows[0] ?? { roles: [], members: [] }
    })
  } catch (error) {
    throw explained(place, error)
  }
}

/** Through the address that the proxy will use, which may have a pool or rules in between. */
async function tryLogins(deps: ReadyDeps, place: Place): Promise<void> {
  const logins = await rolesLogins(deps, place)
  try {
    for (const login of Object.values(logins ?? {})) await asLogin(login, async () => undefined)
  } catch (error) {
    if (!isRefused(error)) throw error
    throw new Fault(
      faults.conflict,
      `The new roles cannot log in at the address of ${place.name}: ${mask(messageOf(error))}. Check pg_hba.conf; behind PgBouncer, use auth_query or add the roles to its auth_file.`,
      { cause: error },
    )
  }
}

/** An administrator without the rights of the owners leaves this step to the login of the address. */
async function giveRights(place: Place, admin: ClientConfig, rights: readonly string[]): Promise<void> {
  try {
    await inTransaction(admin, rights)
  } catch (error) {
    const isForbidden = (error as { code?: string }).code === '42501'
    if (!isForbidden || admin === place.address) throw error
    // The first error names what the administrator lacks, which is what a person can mend.
    await inTransaction(place.address, rights).catch(() => {
      throw error
    })
  }
}

async function takeBack(admin: ClientConfig, place: Place, before: Before): Promise<void> {
  const { reader, agent, owner } = rolesOf(place)
  const database = escapeIdentifier(databaseOf(place.address))
  const after = await rolesBefore(admin, place).catch(() => before)
  const isNew = (role: string): boolean => after.roles.includes(role) && !before.roles.includes(role)
  const joined = isNew(owner) ? [] : after.members.filter((member) => !before.members.includes(member))
  const statements = [
    ...joined.map((member) => `revoke ${escapeIdentifier(owner)} from ${escapeIdentifier(member)}`),
    ...[reader, agent].filter(isNew).map(
      (role) => `do $$ begin
        if exists (select from pg_database d, aclexplode(d.datacl) a where d.datname = current_database()
            and a.grantee = ${escapeLiteral(escapeIdentifier(role))}::regrole) then
          revoke connect on database ${database} from ${escapeIdentifier(role)};
        end if; end $$`,
    ),
    ...[owner, reader, agent].filter(isNew).map((role) => `drop role ${escapeIdentifier(role)}`),
  ]
  if (statements.length > 0) await inTransaction(admin, statements)
}

/** What PostgreSQL refused, and what a person can do about it. */
function explained(place: Place, error: unknown): unknown {
  if (error instanceof Fault && error.code !== 'unavailable') return error
  if (error instanceof Fault)
    return new Fault(
      faults.conflict,
      `The database ${place.name} was not set up: its server cannot be reached.`,
      {
        cause: error,
      },
    )
  const { code, message } = error as { code?: string; message?: string }
  if (typeof code !== 'string' || message === undefined) return error
  const text = mask(messageOf(error)).replace(/\.$/, '')
  const advice = /to create role|create roles|CREATEROLE/i.test(text)
    ? ` The login may not create roles. Use one that has CREATEROLE (--admin-url, or url in the request), or give an administrator the script of: npx signalbox sql setup ${place.name} --print.`
    : ''
  return new Fault(
    faults.conflict,
    `The database ${place.name} was not set up, and nothing was changed: ${text}.${advice}`,
    {
      cause: error,
    },
  )
}
