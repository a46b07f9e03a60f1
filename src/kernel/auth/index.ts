import { Fault, faults, notFound } from '#kernel/errors'

export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export const scopes = ['gateway', 'embeddings', 'events', 'read', 'sql', 'agents', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** The scopes of each role; a key never has more than its creator. */
export const scopesOfRole: Record<Role, readonly Scope[]> = {
  owner: scopes,
  admin: scopes,
  member: ['gateway', 'embeddings', 'events', 'read', 'sql', 'agents'],
  viewer: ['read'],
}

/**
 * Who must be asking. `anyone`: no questions. `page`: the dashboard's own files. `someone`: any principal.
 * `person`: a session or the local owner. Otherwise a scope.
 */
export type Need = 'anyone' | 'page' | 'someone' | 'person' | Scope

export function isScope(need: Need | undefined): need is Scope {
  return scopes.includes(need as Scope)
}

export interface Membership {
  id: string
  name: string
  role: Role
}

export interface Person {
  id: string
  name: string
  email: string
}

/** The caller: a user, or an API key that acts in one group. */
export interface Principal {
  via: 'api_key' | 'session' | 'local'
  user: Person | null
  groups: readonly Membership[]
  /** Present when via is `api_key`. */
  key?: KeyIdentity
}

export interface KeyIdentity {
  id: string
  name: string
  scopes: ReadonlySet<Scope>
  providerKeyOverrides: Readonly<Record<string, string>>
  expiresAt?: Date | null
  /**
   * Names of models with `*`: the list of the key, then those of the keys that it was made with. A model must be in
   * each. Absent: every model.
   */
  allowedModels?: readonly (readonly string[])[]
  /** Networks that requests may come from, in the same way. Absent: any. */
  allowedAddresses?: readonly (readonly string[])[]
  /** The run of an agent that works with the key. */
  run?: RunIdentity
}

/** How a run asks people before it uses a tool. */
export type RunMode = 'default' | 'plan' | 'acceptEdits' | 'dontAsk' | 'bypassPermissions'

export interface RunIdentity {
  id: string
  agentId: string
  mode: RunMode
  /** Null for keys made before it was kept. */
  agentVersion: number | null
  /** The beginning of what the run was asked for. */
  request: string | null
}

/** The group a request acts in. Groups the caller is not a member of return 404. */
export function chooseGroup(principal: Principal, wanted: string | undefined): Membership {
  const group = wanted === undefined ? principal.groups[0] : principal.groups.find(({ id }) => id === wanted)
  if (group) return group
  if (wanted !== undefined) throw notFound('The group')
  throw new Fault(faults.forbidden, 'You are not a member of any group yet. Ask an owner for an invitation.')
}

export function scopesIn(principal: Principal, group: Membership): ReadonlySet<Scope> {
  return principal.key ? principal.key.scopes : new Set(scopesOfRole[group.role])
}

export function requireScope(principal: Principal, group: Membership, scope: Scope): void {
  if (scopesIn(principal, group).has(scope)) return
  const { key } = principal
  const who = key ? `The key "${key.name}"` : `Your role "${group.role}" in ${group.name}`
  const todo = key
    ? `Create a key that has it on the Keys page (/keys).`
    : `An owner or admin of the group can change your role on the page of groups (/groups).`
  throw new Fault(faults.forbidden, `${who} does not have the scope "${scope}". ${todo}`)
}

export function requireRole(group: Membership, ...allowed: Role[]): void {
  if (allowed.includes(group.role)) return
  throw new Fault(
    faults.forbidden,
    `This requires the role ${allowed.join(' or ')}; your role in ${group.name} is ${group.role}.`,
  )
}
