import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Membership, Principal } from '#kernel/auth'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { mask } from '#kernel/mask'
import * as store from './agent-store.ts'
import { embeddingsAgent, type BuiltInAgent } from './built-in.ts'
import type { AgentChange, AgentConfig, AgentInput } from './contract.ts'
import type { AgentTables } from './tables.ts'
import type { PolicyChange } from '#sql'
import type { Policy } from '#sql/contract'

type Db = Kysely<AgentTables>

export interface RegistryDeps {
  db: Db
  events: Events
  builtIn: readonly BuiltInAgent[]
  /** The model that makes vectors; undefined where this process does not know it. */
  embeddingModel(): string | undefined
  /** The group whose owners answer for the whole server. */
  firstGroup(): Promise<string | undefined>
  /** In the transaction that changes the policy: a change that cannot be recorded is not made. */
  policyChanged(transaction: Db, change: PolicyChange): Promise<void>
}

const maxAgents = 200

/** The agents of each group, every version of them kept. */
export function createRegistry(deps: RegistryDeps) {
  const { db, events, builtIn, firstGroup, policyChanged } = deps
  const seeded = new Set<string>()

  /** A group gets the built-in agents when its registry is first opened. */
  async function ensureSeeded(groupId: string): Promise<void> {
    if (seeded.has(groupId)) return
    await db.transaction().execute(async (transaction) => {
      if (!(await store.claimSeeding(transaction, groupId))) return
      for (const agent of builtIn) await insert(transaction, groupId, agent, null, 'Signalbox')
    })
    seeded.add(groupId)
  }

  /** What was stored at first is the setting; which model runs is known only when it has started. */
  function withRunningModel(row: store.AgentRow): store.AgentRow {
    const isAsMade = row.id === embeddingsAgent && row.version === 1
    return isAsMade ? { ...row, model: deps.embeddingModel() ?? row.model } : row
  }

  async function find(groupId: string, id: string): Promise<store.AgentRow> {
    await ensureSeeded(groupId)
    const row = await store.findAgent(db, groupId, id)
    if (!row) throw notFound('The agent')
    return withRunningModel(row)
  }

  /**
   * Commands run as the server's user, who can read everything of every group. So neither an admin nor any key may name
   * one, or decide that people are not asked before its tools are used; and in other groups than the first nobody.
   */
  async function checkServers(
    principal: Principal,
    group: Membership,
    wanted: AgentConfig,
    before: Partial<AgentConfig>,
  ): Promise<void> {
    const hasSameServers = isDeepStrictEqual(wanted.mcp_servers, before.mcp_servers ?? {})
    const asksTheSame = !startsCommands(wanted) || isDeepStrictEqual(askingOf(wanted), askingOf(before))
    if (hasSameServers && asksTheSame) return
    if (principal.via === 'api_key' || group.role !== 'owner')
      throw new Fault(
        faults.forbidden,
        'Only an owner of the group who is signed in may set mcp_servers, and the permission mode and the environment of an agent that starts commands.',
      )
    if (!startsCommands(wanted) || group.id === (await firstGroup())) return
    throw new Fault(
      faults.forbidden,
      'Only agents of the first group may start commands on the server. Those of other groups may have `signalbox mcp`, without other arguments.',
    )
  }

  /** Records a policy that is not as it was before. */
  async function notePolicy(
    transaction: Db,
    principal: Principal,
    row: store.AgentRow,
    [before, after]: [Policy | null, Policy | null],
  ): Promise<void> {
    if (isDeepStrictEqual(before, after)) return
    const { group_id: groupId, id: agentId, version } = row
    await policyChanged(transaction, { principal, groupId, agentId, version, policy: after })
  }

  function policyActivity(principal: Principal, row: store.AgentRow): void {
    events.emit('activity', {
      ...configActivity,
      groupId: row.group_id,
      by: principal.user?.id ?? null,
      severity: 'warning',
      title: `Policy changed: ${row.id}`,
      metadata: { agent_id: row.id, policy_version: row.policy_version },
    })
  }

  function changed(principal: Principal, row: store.AgentRow, what: string): void {
    events.emit('activity', {
      ...configActivity,
      groupId: row.group_id,
      by: principal.user?.id ?? null,
      title: `Agent ${what}: ${row.name}`,
      metadata: { agent_id: row.id, version: row.version, api_key_id: principal.key?.id ?? null },
    })
  }

  return {
    find,

    async list(groupId: string, page: store.AgentPage): Promise<store.AgentRow[]> {
      await ensureSeeded(groupId)
      return (await store.listAgents(db, groupId, page)).map(withRunningModel)
    },

    async create(principal: Principal, group: Membership, input: AgentInput): Promise<store.AgentRow> {
      await checkServers(principal, group, input.config, {})
      checkPerson(principal, input.config, newConfig)
      checkConfig(input.config)
      refuseKeys(input)
      await ensureSeeded(group.id)
      const row = await db.transaction().execute(async (transaction) => {
        if ((await store.countAgents(transaction, group.id)) >= maxAgents)
          throw new Fault(faults.conflict, `A group has at most ${maxAgents} agents. Delete one first.`)
        const made = await insert(transaction, group.id, input, principal.user?.id ?? null, nameOf(principal))
        if (made) await notePolicy(transaction, principal, made, [null, made.config.policy])
        return made
      })
      if (!row) throw new Fault(faults.conflict, `An agent "${input.id}" already exists.`, { param: 'id' })
      changed(principal, row, 'created')
      return row
    },

    async change(principal: Principal, group: Membership, id: string, input: AgentChange) {
      const { config: given, version: expected, group_id: _group, ...fields } = input
      refuseKeys(input)
      await ensureSeeded(group.id)
      const row = await db.transaction().execute(async (transaction) => {
        const before = await store.lockAgent(transaction, group.id, id)
        if (!before) throw notFound('The agent')
        if (expected !== undefined && expected !== before.version)
          throw new Fault(
            faults.conflict,
            `The agent is now at version ${before.version}. Reload it, then change it.`,
          )
        const config = { ...before.config, ...withoutUndefined(given ?? {}) }
        await checkServers(principal, group, config, before.config)
        checkPerson(principal, config, before.config)
        checkConfig(config)
        const version = before.version + 1
        const hasSamePolicy = isDeepStrictEqual(config.policy, before.config.policy)
        const after = await store.updateAgent(transaction, group.id, id, {
          ...withoutUndefined(fields),
          config: JSON.stringify(config),
          version,
          policy_version: hasSamePolicy ? before.policy_version : version,
        })
        await keepVersion(transaction, after, 'changed', principal.user?.id ?? null, nameOf(principal))
        await notePolicy(transaction, principal, after, [before.config.policy, config.policy])
        return after
      })
      changed(principal, row, 'changed')
      if (row.policy_version === row.version) policyActivity(principal, row)
      return row
    },

    async remove(principal: Principal, group: Membership, id: string): Promise<void> {
      await ensureSeeded(group.id)
      const row = await db.transaction().execute(async (transaction) => {
        const before = await store.lockAgent(transaction, group.id, id)
        if (!before) throw notFound('The agent')
        const last = { ...before, version: before.version + 1 }
        await keepVersion(transaction, last, 'deleted', principal.user?.id ?? null, nameOf(principal))
        await store.deleteAgent(transaction, group.id, id)
        await notePolicy(transaction, principal, last, [before.config.policy, null])
        return before
      })
      changed(principal, row, 'deleted')
    },

    async versions(groupId: string, id: string): Promise<store.VersionRow[]> {
      await ensureSeeded(groupId)
      const rows = await store.listVersions(db, groupId, id)
      if (rows.length === 0) throw notFound('The agent')
      return rows
    },
  }
}

export type Registry = ReturnType<typeof createRegistry>

const nameOf = ({ user, key }: Principal): string => (key ? `key ${key.name}` : (user?.name ?? 'Signalbox'))

async function insert(
  db: Db,
  groupId: string,
  input: BuiltInAgent | AgentInput,
  by: string | null,
  byName: string,
): Promise<store.AgentRow | undefined> {
  const { id, name, model, category, description, capabilities, config } = input
  const version = (await store.lastVersion(db, groupId, id)) + 1
  const row = await store.insertAgent(db, {
    group_id: groupId,
    id,
    name,
    model,
    category,
    description,
    capabilities,
    config: JSON.stringify(config),
    version,
    policy_version: version,
    created_by: by,
  })
  if (row) await keepVersion(db, row, 'created', by, byName)
  return row
}

async function keepVersion(
  db: Db,
  row: store.AgentRow,
  change: store.VersionRow['change'],
  by: string | null,
  byName: string,
): Promise<void> {
  const { name, model, category, description, capabilities, config } = row
  await store.insertVersion(db, {
    group_id: row.group_id,
    agent_id: row.id,
    version: row.version,
    policy_version: row.policy_version,
    change,
    record: JSON.stringify({ name, model, category, description, capabilities, config }),
    changed_by: by,
    changed_by_name: byName,
  })
}

/** The tools of this server, which the key of the run limits to its group. */
const isPlatform = ({ command, args = [] }: AgentConfig['mcp_servers'][string]): boolean =>
  command === 'signalbox' && args.length === 1 && args[0] === 'mcp'

const startsCommands = ({ mcp_servers: servers }: AgentConfig): boolean =>
  !Object.values(servers).every(isPlatform)

/** What decides whether people are asked before a tool is used. */
const askingOf = ({ permission_mode: mode, policy }: Partial<AgentConfig>) => [mode, policy?.environment]

/** What an agent may do without asking is decided by people: a key that could change it would approve for itself. */
function checkPerson(principal: Principal, wanted: AgentConfig, before: Guarded): void {
  if (principal.via !== 'api_key') return
  for (const field of ['policy', 'permission_mode'] as const)
    if (!isDeepStrictEqual(wanted[field], before[field]))
      throw new Fault(
        faults.forbidden,
        `config.${field} may only be changed by a person who is signed in, not with an API key.`,
        { param: `config.${field}` },
      )
}

type Guarded = Pick<AgentConfig, 'policy' | 'permission_mode'>
/** What an agent has that nobody decided anything about. */
const newConfig: Guarded = { policy: null, permission_mode: 'default' }

function checkConfig({ permission_mode: mode, policy }: AgentConfig): void {
  if (mode === 'bypassPermissions' && policy?.environment === 'prod')
    throw invalidField('config.permission_mode', 'must not be bypassPermissions where the policy is for prod')
}

/** The registry is readable by every member, so it is no place for keys. */
function refuseKeys(input: object): void {
  const text = JSON.stringify(input)
  if (mask(text) !== text)
    throw invalidField('config', 'looks like it contains an API key. Do not store keys in an agent')
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never
}
