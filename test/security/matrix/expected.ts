import type { Role, Scope } from '#kernel/auth'
import { everyScope, type Kind } from './principals.ts'
import { paramsOf } from '../requests.ts'
import type { Route } from '../route-list.ts'

/**
 * What a principal gets from a route. `open`: the route asks nobody. `ok`: the request was done, or failed for a
 * reason of its own. `own`: as `ok`, on what the principal's own group has, where the thing may not exist.
 */
export type Cell = 'open' | 'ok' | 'own' | 401 | 403 | 404

/** Written out, and compared with what the server does: not read from it. */
const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  owner: everyScope,
  admin: everyScope,
  member: ['gateway', 'embeddings', 'events', 'read', 'sql', 'agents'],
  viewer: ['read'],
}

/** What the route does not say about itself, so that its cells cannot be known. */
export function missingFrom({ config: { needs, open, roles, keyOnly } }: Route): string | undefined {
  const isOpen = needs === 'anyone' || needs === 'page'
  if (needs === undefined) return 'does not say who may call it: config.needs'
  if (isOpen && !open) return 'is for everybody and does not say why: config.open'
  if (!isOpen && open) return 'says why it is open, but it is not: config.open'
  if (roles && (isOpen || keyOnly)) return 'names roles, but does not ask for people: config.roles'
  return undefined
}

export function expectedCell(route: Route, kind: Kind): Cell {
  const { needs } = route.config
  if (needs === 'anyone') return 'open'
  if (needs === 'page') return cellOfPage(route, kind)
  if (kind.is === 'dead key') return 401
  if (kind.is === 'key of a run') return cellOfRun(route, kind.scopes)
  if (route.config.keyOnly) return cellOfKeyOnly(route, kind)
  if (kind.is === 'nobody') return 401
  // A browser sends the session's cookie only with links that are followed, which change nothing.
  if (kind.is === 'another site')
    return kind.withSession && route.method === 'GET' ? cellOfPerson(route, 'owner') : 403
  if (kind.is === 'person') return cellOfPerson(route, kind.role)
  if (kind.is === 'key') return cellOfKey(route, kind)
  return kind.is === 'outsider' ? cellOfOutsider(route, kind) : cellWithoutGroup(route)
}

type Key = Extract<Kind, { is: 'key' }>

const changesSomething = ({ method }: Route): boolean => method !== 'GET'

/** Pages read no credentials; what changes something is refused from another site, and a bad key always is. */
function cellOfPage(route: Route, kind: Kind): Cell {
  if (kind.is === 'dead key') return 401
  return kind.is === 'another site' && changesSomething(route) ? 403 : 'open'
}

function cellOfKeyOnly({ config: { needs, keySeesOwn } }: Route, kind: Kind): Cell {
  if (kind.is === 'outsider' && kind.key) return keySeesOwn ? 404 : 'own'
  if (kind.is !== 'key') return 401
  if (needs === 'someone') return 'ok'
  if (!kind.scopes.includes(needs as Scope)) return 403
  return keySeesOwn ? 404 : 'ok'
}

/** Of what each person has alone: that of the matrix is the local owner's. */
const ofOnePerson = ['deleteSavedSearch']

function cellOfPerson({ operationId = '', config: { needs, roles } }: Route, role: Role): Cell {
  if (roles && !roles.includes(role)) return 403
  if (needs !== 'someone' && needs !== 'person' && !scopesOf[role].includes(needs as Scope)) return 403
  return ofOnePerson.includes(operationId) ? 'own' : 'ok'
}

function cellOfKey({ operationId = '', config }: Route, { scopes, madeBy }: Key): Cell {
  const { needs, keyNeeds, keyAlsoNeeds, roles, keySeesOwn } = config
  if (needs === 'someone' && keyNeeds === undefined) return 'ok'
  if (roles && !roles.includes(madeBy)) return 403
  if (!scopes.includes((keyNeeds ?? needs) as Scope)) return 403
  if (keyAlsoNeeds && !scopes.includes(keyAlsoNeeds)) return 403
  // The things of the matrix were made by a person.
  if (keySeesOwn) return 404
  // A key acts as the person who made it.
  return ofOnePerson.includes(operationId) ? 'own' : 'ok'
}

/** Whatever its scopes are: the run reads text that anybody may have written. */
function cellOfRun(route: Route, scopes: readonly Scope[]): Cell {
  if (!route.config.forRuns) return 403
  const key = { is: 'key', scopes, madeBy: 'owner' } as const
  return route.config.keyOnly ? cellOfKeyOnly(route, key) : cellOfKey(route, key)
}

function cellWithoutGroup({ template, config: { needs, inGroup, roles } }: Route): Cell {
  if (needs === 'someone') return 'ok'
  if (namesAnId(template)) return 404
  return needs === 'person' && !inGroup && !roles ? 'ok' : 403
}

function cellOfOutsider(
  { template, config: { needs, inGroup, roles, firstGroupOnly } }: Route,
  { key, namesTheGroup }: Extract<Kind, { is: 'outsider' }>,
): Cell {
  if (needs === 'person' && key) return 403
  if (namesAnId(template) || (inGroup && namesTheGroup)) return 404
  // Without a group in the path or the request, roles are those in the first group, which this is not.
  return (roles && !inGroup) || firstGroupOnly ? 403 : 'own'
}

/** IDs are of things that a group has; other names, such as a model's, every group gives on its own. */
const namesAnId = (template: string): boolean =>
  paramsOf(template).some((name) => /(^|_)id$/.test(name) && !/^(model|provider|request)_id$/.test(name))
