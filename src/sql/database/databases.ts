import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireRole, type Membership, type Principal } from '#kernel/auth'
import type { Config } from '#kernel/config'
import { Fault, faults, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { Secret } from '#kernel/log'
import type { SecretStore } from '#vault'
import type { DatabaseBody, DatabaseChanges } from '../contract.ts'
import { executorOf, type Audit } from '../audit/audit.ts'
import { recordChange } from './record-change.ts'
import { connectionTo, parseAddress, type DatabaseAddress } from './address.ts'
import { deleteDatabase, insertDatabase, updateDatabase } from './database-store.ts'
import type { Place, Places } from './places.ts'
import { printSetUp, setUp } from './set-up.ts'
import { confirmPrinted, type ReadyDeps } from './ready.ts'
import { rolesOf } from './roles.ts'
import { deleteSetup } from './setup-store.ts'
import type { RuleTables } from '../rules/tables.ts'
import { deleteMasks, listMasks, setMasks } from '../rules/rule-store.ts'
import type { DatabaseTables } from './tables.ts'

export interface DatabasesDeps {
  audit: Audit
  config: Config
  db: Kysely<DatabaseTables>
  events: Events
  places: Places
  ready: ReadyDeps
  secrets: SecretStore
  ruleTables: Kysely<RuleTables>
}

type Actor = { principal: Principal; group: Membership }

/** The databases that a group added, and the set-up of all that it has. */
export function createDatabases(deps: DatabasesDeps) {
  const { config, db, places, ready, secrets, ruleTables } = deps

  /** The operator of the machine could name any address in DATABASES too. */
  const isLocalOwner = ({ principal }: Actor): boolean => principal.via === 'local'

  const parsed = (actor: Actor, url: string): DatabaseAddress =>
    parseAddress(url, isLocalOwner(actor) || config.UPSTREAM_PRIVATE)

  async function find(groupId: string, name: string): Promise<Place> {
    const place = await places.find(groupId, name)
    if (!place) throw notFound(`The database ${name}`)
    return place
  }

  /** One that the group added itself. */
  async function findAdded(groupId: string, name: string) {
    const place = await find(groupId, name)
    if (!place.row)
      throw new Fault(
        faults.conflict,
        `The database ${name} belongs to the server: only its operator can change it.`,
      )
    return { place, row: place.row }
  }

  const record = ({ principal, group }: Actor, database: string, what: string): Promise<void> =>
    recordChange(deps, { groupId: group.id, by: executorOf(principal), database, what })

  return {
    async list(groupId: string): Promise<Place[]> {
      for (const place of await places.list(groupId)) await confirmPrinted(ready, place)
      return places.list(groupId)
    },

    async find(actor: Actor, name: string): Promise<Place> {
      requireRole(actor.group, 'admin', 'owner')
      await confirmPrinted(ready, await find(actor.group.id, name))
      return find(actor.group.id, name)
    },

    async add(actor: Actor, body: DatabaseBody): Promise<Place> {
      const { group, principal } = actor
      requireRole(group, 'admin', 'owner')
      const { name, url, environment, schemas } = body
      const address = parsed(actor, url)
      const taken = new Fault(faults.conflict, `The group already has a database named ${name}.`)
      if (await places.find(group.id, name)) throw taken
      const secretId = await secrets.put(group.id, new Secret(url))
      const isNew = await insertDatabase(db, {
        id: randomUUID(),
        group_id: group.id,
        name,
        secret_id: secretId,
        ...address,
        environment,
        schemas,
        is_by_local_owner: isLocalOwner(actor),
        created_by: principal.user?.id ?? null,
      })
      if (!isNew) {
        await secrets.remove(group.id, secretId)
        throw taken
      }
      if (body.masked_columns.length > 0) await setMasks(ruleTables, group.id, name, body.masked_columns)
      await record(actor, name, 'added')
      return find(group.id, name)
    },

    /** Of each database of the group that has some. */
    masksOf: (groupId: string): Promise<Map<string, string[]>> => listMasks(ruleTables, groupId),

    async change(
      actor: Actor,
      name: string,
      { masked_columns: masks, ...changes }: DatabaseChanges,
    ): Promise<Place> {
      requireRole(actor.group, 'admin', 'owner')
      const { url, environment, schemas } = changes
      const isMoreThanMasks =
        masks === undefined || [url, environment, schemas].some((each) => each !== undefined)
      const place = await find(actor.group.id, name)
      if (isMoreThanMasks) await findAdded(actor.group.id, name)
      if (masks !== undefined) {
        await setMasks(ruleTables, actor.group.id, name, masks)
        await record(actor, name, `changed (masked columns: ${masks.join(', ') || 'none'})`)
      }
      if (!isMoreThanMasks) return place
      const { row } = await findAdded(actor.group.id, name)
      const address = url === undefined ? undefined : parsed(actor, url)
      const secretId = url === undefined ? undefined : await secrets.put(row.group_id, new Secret(url))
      await updateDatabase(db, row.id, {
        ...(environment && { environment }),
        ...(schemas && { schemas }),
        ...(address &&
          secretId && { ...address, secret_id: secretId, is_by_local_owner: isLocalOwner(actor) }),
      })
      if (secretId !== undefined) await secrets.remove(row.group_id, row.secret_id)
      await record(actor, name, 'changed')
      return find(row.group_id, name)
    },

    /** Roles and rights in the database itself stay: only its administrator may remove them. */
    async remove(actor: Actor, name: string): Promise<void> {
      requireRole(actor.group, 'admin', 'owner')
      const { place, row } = await findAdded(actor.group.id, name)
      const { reader, agent } = rolesOf(place)
      await deleteDatabase(db, row.id)
      await secrets.remove(row.group_id, row.secret_id)
      await ready.logins.remove([reader, agent])
      await deleteSetup(db, place.rolePrefix)
      await deleteMasks(ruleTables, row.group_id, name)
      await record(actor, name, 'removed')
    },

    async script({ group }: Actor, name: string): Promise<string> {
      requireRole(group, 'admin', 'owner')
      const place = await find(group.id, name)
      return printSetUp(ready, place, place.schemas)
    },

    async setUp(actor: Actor, name: string, url: string | undefined): Promise<Place> {
      requireRole(actor.group, 'admin', 'owner')
      const place = await find(actor.group.id, name)
      const mayBePrivate = isLocalOwner(actor) || config.UPSTREAM_PRIVATE
      if (url !== undefined) parsed(actor, url)
      try {
        await setUp(ready, place, {
          schemas: place.schemas,
          ...(url !== undefined && { admin: connectionTo(new Secret(url), mayBePrivate) }),
        })
      } catch (error) {
        await record(actor, name, 'not set up')
        throw error
      }
      await record(actor, name, 'set up')
      return find(actor.group.id, name)
    },
  }
}

export type Databases = ReturnType<typeof createDatabases>
