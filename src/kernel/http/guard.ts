import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { z } from 'zod'
import {
  chooseGroup,
  isScope,
  requireScope,
  scopesIn,
  type Membership,
  type Need,
  type Principal,
  type Role,
  type Scope,
} from '#kernel/auth'
import type { Config } from '#kernel/config'
import { Fault, faults, invalidField } from '#kernel/errors'
import { prefersPage } from './accept.ts'
import { hookRoutes, type RouteRules } from './every-request.ts'
import { checkHost, hasOwnerToken, isSameOrigin, whyNotLocal, type IsOwnerToken } from './local-owner.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route; every route must declare it. */
    needs?: Need
    /** What an API key needs, where it needs more than a person does. */
    keyNeeds?: Scope
    /** A second scope that an API key must have, where the route shows what the first one does not give. */
    keyAlsoNeeds?: Scope
    /** A key sees only what it asked for itself; what others asked for does not exist for it. */
    keySeesOwn?: boolean
    /** The roles that the part asks of a person, where the scope is not enough. */
    roles?: readonly Role[]
    /** The route shows what concerns the whole installation: members and keys of the first group may call it. */
    firstGroupOnly?: boolean
    /** The gateway's routes accept API keys only, in every mode. */
    keyOnly?: boolean
    /** Access tokens of the issuer of single sign-on are accepted too. */
    accessTokens?: boolean
    /** Runs of agents may call it too: their keys open nothing else, whatever their scopes are. */
    forRuns?: boolean
    /** How the route finds its caller; set by the guard, for responses that stay open. */
    identify?: (request: FastifyRequest) => Principal | null | Promise<Principal | null>
    /** Why everybody may call a route that needs `anyone` or `page`. */
    open?: string
    /** Browsers get the dashboard at this path, and anyone may load it; the reason why. */
    page?: string
    /** The error body, for routes whose clients expect another format. */
    faultBody?: (fault: Fault, requestId: string) => object
    /** The status that goes with it, where it is another. */
    faultStatus?: ((fault: Fault) => number) | undefined
    /** A second header for the request ID, for clients that expect it there. */
    idHeader?: string | undefined
  }
  interface FastifyRequest {
    principal: Principal | null
    /** What the route declares, kept here because asking Fastify for it is slow. */
    needs: Need | undefined
  }
}

/** What of a request says who asks, and in which group. */
export interface Caller {
  principal: Principal | null
  needs: Need | undefined
  readonly headers: FastifyRequest['headers']
  readonly body?: unknown
  readonly query: unknown
  readonly routeOptions: { config: { inGroup?: boolean }; url?: string | undefined }
}

/** How credentials become a principal; passed in, so that the kernel does not depend on a feature. */
export interface Resolvers {
  /** One that `exists` does not count as an unknown one. */
  apiKey(token: string, address: string, exists?: boolean): Principal | Promise<Principal>
  /** The API key that stands for the assistant with this access token; undefined where it is none. */
  keyForAccessToken(token: string, groupId: string | undefined, address: string): Promise<string | undefined>
  session(headers: FastifyRequest['headers']): Promise<Principal | null>
  /** Compares in constant time; false where there is no local owner. */
  isOwnerToken: IsOwnerToken
  localOwner(): Promise<Principal>
}

export function guard(app: FastifyInstance, config: Config, resolvers: Resolvers): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('needs', undefined)
  hookRoutes(app, 'onRequest', (route) => {
    if (!route) return guardUnknown(config)
    const { needs, page } = route.config
    if (needs === undefined) throw new Error(`The route ${route.url} does not declare who may call it`)
    const admit = admission(route, needs, config, resolvers)
    if (page === undefined) return (request, _reply, done) => admit(request, done)
    const admitToPage = admission(route, 'page', config, resolvers)
    return (request, reply, done) => {
      if (!prefersPage(request.headers)) return admit(request, done)
      admitToPage(request, (error) => (error ? done(error) : reply.header('vary', 'accept').sendPage()))
    }
  })
}

type Admit = (request: FastifyRequest, done: (error?: Error) => void) => void

function admission(route: RouteRules, needs: Need, config: Config, resolvers: Resolvers): Admit {
  const { keyNeeds, keyAlsoNeeds, keyOnly = false, accessTokens = false, forRuns = false } = route.config
  const isInGroup = route.config.inGroup === true
  const isOfServer = route.config.inGroup !== true && !/[:*]/.test(route.url)
  const identify = (request: FastifyRequest): Principal | null | Promise<Principal | null> => {
    const token = keyOnly ? gatewayKey(request) : bearerToken(request)
    if (token !== undefined && accessTokens && !token.startsWith('sb-'))
      return byAccessToken(request, token, resolvers)
    if (token !== undefined) return resolvers.apiKey(token, request.ip)
    if (!keyOnly) return withoutKey(request, config, resolvers, needs === 'page')
    throw new Fault(faults.invalidApiKey, 'This route needs an API key: send Authorization: Bearer sb-….')
  }
  // Not that of the page, which needs less. Servers of one process share the declaration: the last one has its way.
  if (needs === route.config.needs) route.config.identify = identify
  return (request, done) => {
    request.needs = needs
    if (needs === 'anyone') return done()
    const admit = (principal: Principal | null): void => {
      request.principal = principal
      if (keyNeeds !== undefined && principal?.key) request.needs = keyNeeds
      if (principal?.key?.run && !forRuns && needs !== 'page') throw notForRuns()
      checkNeed(request, request.needs)
      if (keyAlsoNeeds !== undefined) checkNeed(request, keyAlsoNeeds)
      if (isInGroup) checkNamedGroup(request)
      if (isOfServer && principal && !principal.key && isScope(needs)) requireAnywhere(principal, needs)
    }
    const found = identify(request)
    if (found instanceof Promise) return void admitLater(found, admit, done)
    // A known key is resolved synchronously.
    admit(found)
    done()
  }
}

async function admitLater(
  found: Promise<Principal | null>,
  admit: (principal: Principal | null) => void,
  done: (error?: Error) => void,
): Promise<void> {
  try {
    admit(await found)
  } catch (error) {
    return done(error as Error)
  }
  done()
}

/** From here on the request has the key instead of the token, which is for this route only. */
async function byAccessToken(
  request: FastifyRequest,
  token: string,
  resolvers: Resolvers,
): Promise<Principal> {
  const header = request.headers['x-group-id']
  const group = typeof header === 'string' ? header : undefined
  const key = await resolvers.keyForAccessToken(token, group, request.ip)
  if (key !== undefined) request.headers.authorization = `Bearer ${key}`
  return resolvers.apiKey(key ?? token, request.ip, key !== undefined)
}

/** An unknown path may still be a page of the dashboard. */
function guardUnknown(config: Config): onRequestHookHandler {
  return (request, _reply, done) => {
    if (config.localOwner && request.headers.authorization === undefined) checkHost(request)
    done()
  }
}

async function withoutKey(
  request: FastifyRequest,
  config: Config,
  resolvers: Resolvers,
  isPage: boolean,
): Promise<Principal | null> {
  if (config.localOwner) checkHost(request)
  if (isPage) {
    if (changesSomething(request)) refuseForeign(request, config)
    return null
  }
  const session = request.headers.cookie ? await resolvers.session(request.headers) : null
  if (session) {
    if (changesSomething(request)) refuseForeign(request, config)
    return session
  }
  if (!config.localOwner)
    throw new Fault(faults.notAuthenticated, 'Sign in, or send an API key: Authorization: Bearer sb-….')
  const reason = whyNotLocal(request)
  if (reason) throw reason
  if (!hasOwnerToken(request, resolvers.isOwnerToken)) throw new Fault(faults.notAuthenticated, howToOpen)
  return resolvers.localOwner()
}

const howToOpen =
  'Open the link that Signalbox printed in the terminal, or run: npx signalbox open (prints it again). ' +
  'Programs send an API key, or the owner token as X-Owner-Token.'

function refuseForeign(request: FastifyRequest, config: Config): void {
  if (isSameOrigin(request, config.PUBLIC_URL)) return
  throw new Fault(
    faults.forbidden,
    'This request comes from another site. Use the dashboard at its own address.',
  )
}

function checkNeed(request: FastifyRequest, needs: Need | undefined): void {
  const { principal } = request
  if (principal === null) return
  if (needs === 'person') {
    if (principal.via === 'api_key')
      throw new Fault(faults.forbidden, 'An API key cannot be used here. Sign in to the dashboard.')
    return
  }
  // A user's group may be in the body, which is not read yet: groupOf checks it later.
  const group = principal.groups[0]
  if (principal.key && group && isScope(needs)) requireScope(principal, group, needs)
}

const notForRuns = (): Fault =>
  new Fault(
    faults.forbidden,
    'This key belongs to the run of an agent, which may only ask models and use its tools.',
  )

/** What belongs to the whole server is for members of some group: a person who left the last one has only an account. */
function requireAnywhere(principal: Principal, needs: Scope): void {
  const group = principal.groups.find((each) => scopesIn(principal, each).has(needs))
  if (!group) throw new Fault(faults.forbidden, `None of your groups gives you the scope "${needs}".`)
}

function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const space = header.indexOf(' ')
  if (space > 0 && header.slice(0, space).toLowerCase() === 'bearer') return header.slice(space + 1).trim()
  throw new Fault(faults.invalidApiKey, 'The Authorization header must be: Bearer sb-….')
}

/**
 * Clients of the Messages API send the key in a header of its own. Some send there ours and, as Authorization, that of
 * somebody else: whichever is one of ours counts.
 */
function gatewayKey(request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key']
  if (typeof header !== 'string') return bearerToken(request)
  const key = header.trim()
  const isForeign = !/^bearer\s+sb-/i.test(request.headers.authorization ?? '')
  return isForeign && key.startsWith('sb-') ? key : (bearerToken(request) ?? key)
}

/** The key that the guard accepted, of a route for keys only. */
export function keySentBy(request: FastifyRequest): string {
  return gatewayKey(request) ?? ''
}

const changesSomething = (request: FastifyRequest): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(request.method)

/** The caller. Only for routes that require one. */
export function principalOf(request: Pick<Caller, 'principal'>): Principal {
  if (request.principal) return request.principal
  throw new Fault(faults.notAuthenticated, 'Sign in, or send an API key.')
}

/** The group this request acts in, with the route's scope checked in it. */
export function groupOf(request: Caller): Membership {
  const principal = principalOf(request)
  // A key has one group. For people the API document must say that there is a choice.
  const { config, url } = request.routeOptions
  if (!principal.key && config.inGroup !== true)
    throw new Error(`The route ${url} acts in a group, but its config does not say inGroup`)
  const group = chooseGroup(principal, wantedGroup(request))
  if (isScope(request.needs)) requireScope(principal, group, request.needs)
  return group
}

/** Also where another of them takes precedence: a value that cannot be meant is a mistake. */
function checkNamedGroup({ headers, query }: FastifyRequest): void {
  const named = {
    'X-Group-ID': headers['x-group-id'],
    group_id: (query as Record<string, unknown>)['group_id'],
  }
  for (const [name, value] of Object.entries(named))
    if (value !== undefined && !z.uuid().safeParse(value).success)
      throw invalidField(name, 'must be the ID of a group')
}

function wantedGroup(request: Caller): string | undefined {
  for (const source of [request.body, request.query]) {
    if (
      typeof source === 'object' &&
      source !== null &&
      'group_id' in source &&
      typeof source.group_id === 'string'
    ) {
      return source.group_id
    }
  }
  const header = request.headers['x-group-id']
  return typeof header === 'string' ? header : undefined
}
