import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Principal } from '#kernel/auth'
import { withDatabase, type CommandKernel } from '#kernel/command'
import type { Config } from '#kernel/config'
import { ownerToken as readOwnerToken } from '#kernel/datadir'
import { Fault, faults } from '#kernel/errors'
import type { Http, Resolvers } from '#kernel/http'
import type { Jobs } from '#kernel/jobs'
import { Secret } from '#kernel/log'
import { version } from '#kernel/version'
import { createAccessTokens, type AccessTokens } from './access-tokens.ts'
import { deleteOldRunKeys, keyNames, keyPeople, keysOfPerson, runKeyAgents } from './api-key-store.ts'
import { createApiKeys } from './api-keys.ts'
import { createAssistantKeys } from './assistant-keys.ts'
import type { AccessDeps, ResolveOverrides } from './deps.ts'
import { firstStart, localOwnerEmail, type FirstStart } from './first-start.ts'
import { createGroups } from './groups.ts'
import {
  countAdmins,
  findUser,
  findUserByEmail,
  firstGroup,
  groupsOf,
  listUsers,
  timeZonesOf,
} from './group-store.ts'
import { createInternalKeys, internalKey } from './internal-keys.ts'
import { deleteExpired } from './invitation-store.ts'
import { createInvitations } from './invitations.ts'
import { createKeyCache } from './key-cache.ts'
import { createPasswordAttempts } from './password-attempts.ts'
import { createPeople, type SessionUser } from './people.ts'
import { accessRoutes } from './routes/index.ts'
import { removeUser } from './remove-user.ts'
import { createRunKeys } from './run-keys.ts'
import type { AccessTables } from './tables.ts'
import { hashToken } from './token.ts'
import { createUnknownKeyLimit } from './unknown-keys.ts'

export type { FirstStart } from './first-start.ts'
export type { RunKeys } from './run-keys.ts'

/**
 * Users, groups, roles and API keys: who the caller is, and what they may do.
 *
 * @example
 * const access = createAccess(kernel)
 * const principal = await access.resolvers.apiKey('sb-…', '10.0.0.7')
 * const first = await access.firstGroupId()
 */
export function createAccess(deps: AccessDeps) {
  const { database, config, events, log } = deps
  const { sessionSecret = new Secret(randomBytes(32).toString('base64')) } = deps
  const db: Kysely<AccessTables> = database.tables()
  const identity: Kysely<AccessTables> = database.identity.tables()
  const people = createPeople({
    database,
    config,
    secret: sessionSecret,
    log,
    address: deps.address ?? (() => ''),
  })
  const apiKeys = createApiKeys(db, events, deps.resolveOverrides ?? unchanged)
  const groups = createGroups(db, events, config.GROUP_CREATORS)
  const invitations = createInvitations(db, events, people)
  const unknown = createUnknownKeyLimit()
  const keyCache = createKeyCache(database, log, unknown)
  const internalKeys = createInternalKeys(identity)
  const assistantKeys = createAssistantKeys({
    db: identity,
    events,
    secret: sessionSecret,
    tokens: tokensFor(config),
    unknown,
  })
  const localOwnerToken = config.localOwner ? readOwnerToken(config.DATA_DIR) : null
  const hashOfOwnerToken = localOwnerToken && hashToken(localOwnerToken.reveal())
  let started: FirstStart | undefined
  let firstGroupId: string | undefined

  async function groupsOfSession(user: SessionUser) {
    const groups = await groupsOf(identity, user.id)
    if (groups.length > 0 || !user.emailVerified) return groups
    const first = config.OIDC_AUTO_JOIN && (await firstGroup(db))
    return invitations.joinByEmail(
      user,
      first && config.OIDC_AUTO_JOIN ? { groupId: first.id, role: config.OIDC_AUTO_JOIN } : undefined,
    )
  }

  const resolvers: Resolvers = {
    apiKey: (token, address, exists) =>
      internalKeys.resolve(token) ?? keyCache.resolve(token, address, exists),
    keyForAccessToken: assistantKeys.keyFor,
    async session(headers) {
      // Without this cookie there is no session, and the library that checks it need not be loaded.
      if (!headers.cookie?.includes('signalbox.session_token=')) return null
      const user = await people.sessionUser(toHeaders(headers))
      if (!user) return null
      const { id, name, email } = user
      return {
        via: 'session',
        user: { id, name, email },
        groups: await groupsOfSession(user),
      } satisfies Principal
    },
    isOwnerToken: (token) => hashOfOwnerToken !== null && timingSafeEqual(hashToken(token), hashOfOwnerToken),
    async localOwner() {
      const user = await findUserByEmail(identity, localOwnerEmail)
      if (!user) throw new Fault(faults.unavailable, 'The local owner is not set up. Restart Signalbox.')
      return { via: 'local', user, groups: await groupsOf(identity, user.id) } satisfies Principal
    },
  }

  return {
    name: 'access',
    resolvers,
    people,
    apiKeys,
    groups,
    invitations,
    /** Lets Signalbox call its own routes as a group. */
    withKey: internalKeys.withKey,
    principalFor: internalKeys.principalFor,
    /** Keys that runs of agents work with. */
    runKeys: createRunKeys(db),
    /** A person as if they were here, with the groups that they are in now; undefined where there is none any more. */
    async person(id: string): Promise<Principal | undefined> {
      const user = await findUser(db, id)
      return user && { via: 'session', user, groups: await groupsOf(db, id) }
    },
    /** The names of a group's keys, including revoked ones. */
    async keyNames(groupId: string): Promise<ReadonlyMap<string, string>> {
      return (await keyNames(db, groupId)).set(internalKey.id, internalKey.name)
    },
    /** What limits ask about people, keys and groups. */
    forLimits: {
      timeZones: (groupIds: readonly string[]) => timeZonesOf(db, groupIds),
      hasKey: async (groupId: string, keyId: string) =>
        (await keyNames(db, groupId)).has(keyId.toLowerCase()),
      isMember: async (groupId: string, userId: string) =>
        (await groupsOf(db, userId)).some(({ id }) => id === groupId),
      keysOf: (groupId: string, userId: string) => keysOfPerson(db, groupId, userId),
    },
    /** The agents whose runs keys belong to, by the ID of the key. */
    runKeyAgents: (groupId: string): Promise<ReadonlyMap<string, string>> => runKeyAgents(db, groupId),
    /** The people who made keys of a group, by the ID of the key. */
    keyPeople: (groupId: string) => keyPeople(db, groupId),
    /** The group that owns what concerns the whole installation. */
    async firstGroupId(): Promise<string> {
      const first = await firstGroup(db)
      if (!first) throw new Fault(faults.unavailable, 'There is no group yet.')
      return first.id
    },
    /** Asks nothing about those who were in it before, so that metrics can be read while the database is down. */
    async isInFirstGroup({ groups }: Principal): Promise<boolean> {
      const isFirst = ({ id }: { id: string }): boolean => id === firstGroupId
      // A group that was deleted has no members and no keys, so members of the known one are right.
      if (groups.some(isFirst)) return true
      firstGroupId = (await firstGroup(db))?.id
      return groups.some(isFirst)
    },
    /** The time zone of a group; null where it has none. */
    async timeZone(groupId: string): Promise<string | null> {
      return (await timeZonesOf(db, [groupId])).get(groupId) ?? null
    },
    /** How many admins and owners a group has. */
    countAdmins: (groupId: string) => countAdmins(db, groupId),
    /** All users of this installation, for the command line. */
    async listUsers() {
      const users = await listUsers(db)
      return Promise.all(users.map(async (user) => ({ ...user, groups: await groupsOf(db, user.id) })))
    },
    removeUser: (email: string) => removeUser(db, people, email),
    /** Run once, by one process, before any request is served. */
    async firstStart(): Promise<FirstStart> {
      started = await firstStart({ db, config, apiKeys, invitations, localOwnerToken })
      return started
    },
    routes(app: Http): void {
      accessRoutes(app, {
        ...deps,
        people,
        passwordAttempts: createPasswordAttempts(identity),
        apiKeys,
        groups,
        invitations,
        firstStarted: () => started,
      })
    },
    jobs(jobs: Jobs): void {
      jobs.define('access.delete-expired', () => deleteExpired(db), { cron: '17 3 * * *' })
      const days = config.AGENT_RUN_RETENTION_DAYS
      jobs.define('access.delete-run-keys', () => deleteOldRunKeys(db, days), { cron: '37 3 * * *' })
    },
    async start() {
      await keyCache.start()
      // Metrics can then be read in an outage, also by a key that has not read them before.
      firstGroupId = (await firstGroup(db))?.id
    },
    stop: () => keyCache.stop(),
  }
}

export type Access = ReturnType<typeof createAccess>

/** Gives a command the same access that the server has. */
export async function withAccess<T>(use: (session: AccessSession) => Promise<T>): Promise<T> {
  return withDatabase((kernel) => use({ ...kernel, access: createAccess({ ...kernel, version }) }))
}

export interface AccessSession extends CommandKernel {
  access: Access
}

/** A token is for one server, so this one must know under which address people reach it. */
function tokensFor({ OIDC_ISSUER: issuer, PUBLIC_URL: address }: Config): AccessTokens | undefined {
  if (issuer === undefined || address === undefined) return undefined
  return createAccessTokens({ issuer, audience: `${address.replace(/(?<!\/)\/+$/, '')}/mcp` })
}

function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const copy = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) copy.set(name, [value].flat().join(', '))
  return copy
}

const unchanged: ResolveOverrides = async (_groupId, overrides) => ({ ...overrides })
