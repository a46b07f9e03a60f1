import { BoundedCache } from '#kernel/cache'
import type { Config } from '#kernel/config'
import { Fault, faults, invalidField } from '#kernel/errors'
import { builtInProviders, openAiCompatible, type Provider } from '../providers/index.ts'
import type { CustomProviderRow, InactiveProvider } from './provider-store.ts'

/** A provider as one group sees it: the built-in ones, and those that its owners added. */
export interface Route {
  provider: Provider
  baseUrl: string
  isActive: boolean
  /** Added by an owner of the group. */
  isCustom: boolean
  /** Addresses in private networks are allowed: given by the operator, or by an owner where the operator permits it. */
  allowPrivate: boolean
}

/** The provider may be turned off. */
export interface ResolvedModel {
  route: Route
  /** The name without the provider's word. */
  model: string
}

export interface Registry {
  readonly builtIn: readonly Route[]
  list(groupId: string): Route[]
  /** The provider whose prefix is the longest of the model's name; it may be turned off. */
  find(groupId: string, model: string): Route | undefined
  /** An embedding model by its name. Throws if its provider is turned off. */
  resolveEmbeddings(groupId: string, name: string): ResolvedModel | undefined
  /** The model of a name as clients write it, also with the provider's word before it: `openai/…`. */
  resolve(groupId: string, name: string): ResolvedModel | undefined
  /** The same; throws where there is none, or its provider is turned off. `param` is the field with the name. */
  requireModel(groupId: string, name: string, param?: string): ResolvedModel
  resolveId(groupId: string, word: string): string | undefined
  setCustom(rows: readonly CustomProviderRow[]): void
  /** Built-in providers that groups turned off. */
  setInactive(rows: readonly InactiveProvider[]): void
}

const maxRoutes = 1_000

export function createRegistry(config: Config): Registry {
  const builtIn: Route[] = builtInProviders(config).map(({ provider, baseUrl }) => ({
    provider,
    baseUrl,
    isActive: true,
    isCustom: false,
    allowPrivate: true,
  }))
  let custom = new Map<string, Route[]>()
  let inactive = new Set<string>()
  /** By group and model. Clients choose the names of models, so it must be bounded. */
  const found = new BoundedCache<string, Route>('model_routes', maxRoutes)

  const builtInOf = (groupId: string): Route[] =>
    builtIn.map((route) =>
      inactive.has(`${groupId} ${route.provider.id}`) ? { ...route, isActive: false } : route,
    )
  /** A provider that was built in later does not take over a custom one of its id, whose keys it would get. */
  function list(groupId: string): Route[] {
    const own = custom.get(groupId) ?? []
    const isTaken = (id: string): boolean => own.some(({ provider }) => provider.id === id)
    return [...builtInOf(groupId).filter(({ provider }) => !isTaken(provider.id)), ...own]
  }

  function find(groupId: string, model: string): Route | undefined {
    const name = `${groupId} ${model}`
    const known = found.get(name)
    if (known) return known
    const route = longestPrefix(list(groupId), model)
    if (route) found.set(name, route)
    return route
  }

  function resolve(groupId: string, name: string): ResolvedModel | undefined {
    const route = find(groupId, name)
    return route ? { route, model: name } : byWord(list(groupId), name)
  }

  return {
    builtIn,
    list,
    find,
    resolveEmbeddings(groupId, name) {
      const routes = list(groupId)
      const route = longestPrefix(routes, name, embeddingPrefixes)
      const found = route ? { route, model: name } : byWord(routes, name)
      if (found && !found.route.isActive) throw switchedOff(found.route)
      return found
    },
    resolve,
    requireModel(groupId, name, param) {
      const found = resolve(groupId, name)
      if (found?.route.isActive) return found
      throw found ? switchedOff(found.route, param) : unknownModel(name, param)
    },
    resolveId: (groupId, word) =>
      list(groupId).find(({ provider }) => provider.id === word || provider.specName === word)?.provider.id,
    setInactive(rows) {
      found.clear()
      inactive = new Set(rows.map((row) => `${row.group_id} ${row.provider_id}`))
    },
    setCustom(rows) {
      found.clear()
      custom = new Map(
        [...Map.groupBy(rows, (row) => row.group_id)].map(([groupId, each]) => [
          groupId,
          each.map((row) => toRoute(row, config)),
        ]),
      )
    },
  }
}

function unknownModel(model: string, param = 'model'): Fault {
  const message = `No provider has the model "${model.slice(0, 100)}". GET /v1/models lists those you can use.`
  return new Fault(faults.modelNotFound, message, { param })
}

function switchedOff({ provider }: Route, param = 'model'): Fault {
  return new Fault(
    faults.modelNotFound,
    `${provider.name} is disabled in your group. An owner can enable it on the Providers page (/providers).`,
    { param },
  )
}

/** A built-in provider's id, or another word for it, and a slash before any of its models. */
function byWord(routes: readonly Route[], name: string): ResolvedModel | undefined {
  const slash = name.indexOf('/')
  const [word, model] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)]
  if (word === '' || model === '') return undefined
  const route = routes.find(
    ({ provider, isCustom }) => !isCustom && (provider.id === word || provider.words?.includes(word)),
  )
  return route && { route, model }
}

const embeddingPrefixes = ({ embeddings, prefixes }: Provider): readonly string[] =>
  embeddings ? (embeddings.prefixes ?? prefixes) : []

function longestPrefix(
  routes: readonly Route[],
  model: string,
  prefixesOf = ({ prefixes }: Provider): readonly string[] => prefixes,
): Route | undefined {
  let found: Route | undefined
  let longest = 0
  // The custom ones first: a prefix that both have was theirs before another was built in.
  for (const route of routes.toReversed()) {
    for (const prefix of prefixesOf(route.provider)) {
      if (prefix.length > longest && isModelOf(route.provider, prefix, model)) {
        found = route
        longest = prefix.length
      }
    }
  }
  return found
}

/** A prefix that ends with a sign needs a name behind it. */
function isModelOf({ isWholeWord }: Provider, prefix: string, model: string): boolean {
  if (!model.startsWith(prefix)) return false
  const rest = model.slice(prefix.length)
  if (isWholeWord) return rest === '' || rest.startsWith('-')
  return rest !== '' || /[a-z0-9]$/i.test(prefix)
}

function toRoute(row: CustomProviderRow, config: Config): Route {
  return {
    provider: openAiCompatible({ id: row.id, name: row.name, prefixes: row.prefixes, docsUrl: row.docs_url }),
    baseUrl: row.base_url,
    isActive: row.is_active,
    isCustom: true,
    allowPrivate: row.allow_private && config.UPSTREAM_PRIVATE,
  }
}

/** Clients choose the names of models, and caches, circuits, the journal and headers keep them. */
const maxModelName = 300

/** Half of a surrogate pair fits into no address and no header. */
export function isModelName(name: string): boolean {
  return name.length <= maxModelName && name.isWellFormed()
}

/** Throws a Fault that names the field. */
export function checkModelName(name: string, field = 'model'): void {
  if (!isModelName(name))
    throw invalidField(field, `may have at most ${maxModelName} characters, which must be valid Unicode`)
}
