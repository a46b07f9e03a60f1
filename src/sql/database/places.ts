import type { Kysely } from 'kysely'
import type { ClientConfig } from 'pg'
import type { Config } from '#kernel/config'
import { clientConfig, databaseNames, sessionTarget, type Target } from '#kernel/db'
import type { SecretStore } from '#vault'
import { connectionTo, type DatabaseAddress } from './address.ts'
import { findDatabase, listDatabases, type DatabaseRow } from './database-store.ts'
import { rolePrefixOf } from './roles.ts'
import { findSetup } from './setup-store.ts'
import type { DatabaseTables, Environment } from './tables.ts'

/** How a call names a database. */
export interface DatabaseOfGroup {
  groupId: string
  database: string
}

/** A database that the proxy offers to a group. */
export interface Place {
  name: string
  groupId: string
  /** With the login that the operator or the group gave. */
  address: ClientConfig
  /**
   * platform: our own, of which the agents see the records. workspace: made by us for the agents, who own what they
   * create there. foreign: somebody else's, with the rights that its administrator gave.
   */
  kind: 'platform' | 'workspace' | 'foreign'
  /** We are its superuser, so we make the roles ourselves when they are first needed. */
  isOurs: boolean
  /** The beginning of the names of its roles, unique on every server. */
  rolePrefix: string
  /** Those whose structure agents may change. */
  schemas: readonly string[]
  /** What its owner says about it; null: only the policy says. */
  environment: Environment | null
  /** The roles have logged in since the last set-up. */
  isSetUp: boolean
  /** Changes when connections must be opened again. */
  version: string
  /** Null for those of the server. */
  row: DatabaseRow | null
}

export interface Places {
  find(groupId: string, name: string): Promise<Place | undefined>
  list(groupId: string): Promise<Place[]>
}

export interface PlacesDeps {
  config: Config
  target: Target
  db: Kysely<DatabaseTables>
  secrets: SecretStore
  firstGroup(): Promise<string>
}

/** Those of the server belong to the first group; every group has those that it added. */
export function createPlaces(deps: PlacesDeps): Places {
  const { config, target, db, secrets, firstGroup } = deps
  const ofServer = placesOfServer(config, target)

  async function withSetup(place: Place): Promise<Place> {
    if (place.isOurs) return place
    const setup = await findSetup(db, place.rolePrefix)
    const at = setup?.set_up_at ?? null
    const schemas = place.row ? place.schemas : (setup?.schemas ?? place.schemas)
    const version = `${place.version} ${at?.toISOString() ?? ''}`
    return { ...place, schemas, isSetUp: at !== null, version }
  }

  async function fromRow(row: DatabaseRow): Promise<Place> {
    const url = await secrets.open(row.group_id, row.secret_id)
    return withSetup({
      name: row.name,
      groupId: row.group_id,
      address: connectionTo(url, row.is_by_local_owner || config.UPSTREAM_PRIVATE),
      kind: 'foreign',
      isOurs: false,
      rolePrefix: rolePrefixOf(platformOf(target), row.name, row.id),
      schemas: row.schemas,
      environment: row.environment,
      isSetUp: false,
      version: row.updated_at.toISOString(),
      row,
    })
  }

  return {
    async find(groupId, name) {
      const place = ofServer.get(name)
      if (place && (await firstGroup()) === groupId) return withSetup({ ...place, groupId })
      const row = await findDatabase(db, groupId, name)
      return row && fromRow(row)
    },
    async list(groupId) {
      const own = (await firstGroup()) === groupId ? [...ofServer.values()] : []
      const rows = await listDatabases(db, groupId)
      return Promise.all([
        ...own.map((place) => withSetup({ ...place, groupId })),
        ...rows.filter(({ name }) => !own.some((place) => place.name === name)).map(fromRow),
      ])
    },
  }
}

function placesOfServer(config: Config, target: Target): ReadonlyMap<string, Place> {
  const platform = platformOf(target)
  const place = (name: string, more: Pick<Place, 'address' | 'kind' | 'isOurs'>): Place => ({
    name,
    groupId: '',
    rolePrefix: rolePrefixOf(platform, name),
    schemas: ['public'],
    environment: null,
    isSetUp: more.isOurs,
    version: '',
    row: null,
    ...more,
  })
  const isOurs = target.kind === 'embedded'
  const places = [place('status', { address: clientConfig(sessionTarget(target)), kind: 'platform', isOurs })]
  if (target.kind === 'embedded')
    for (const name of databaseNames)
      if (name !== 'status') {
        const address = clientConfig({ ...target, database: neighbour(target.database, name) })
        places.push(place(name, { address, kind: 'workspace', isOurs }))
      }
  for (const [name, url] of Object.entries(config.DATABASES ?? {}))
    places.push(
      place(name, { address: clientConfig({ kind: 'external', url }), kind: 'foreign', isOurs: false }),
    )
  // One that the operator names replaces ours of the same name; the platform's own always stays what it is.
  return new Map(
    places
      .filter(({ name, kind }) => name !== 'status' || kind === 'platform')
      .map((each) => [each.name, each]),
  )
}

const platformOf = (target: Target): string => (target.kind === 'embedded' ? target.database : 'status')

/** Several installations may share an embedded server, as tests do: each has databases and roles of its own. */
function neighbour(platform: string, name: string): string {
  return platform === 'status' ? name : `${platform}_${name}`
}

/** Whom we log in as, and where. */
export function shownAddress(config: ClientConfig): DatabaseAddress | null {
  const { connectionString } = config
  if (connectionString === undefined) return null
  const { hostname, port, pathname, username, searchParams } = new URL(connectionString)
  return {
    host: searchParams.get('host') ?? hostname,
    port: port === '' ? 5432 : Number(port),
    database: decodeURIComponent(pathname.slice(1)),
    login: decodeURIComponent(username),
  }
}
