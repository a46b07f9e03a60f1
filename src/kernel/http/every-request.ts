import type {
  FastifyContextConfig,
  FastifyInstance,
  onRequestHookHandler,
  onResponseHookHandler,
  FastifyReply,
} from 'fastify'
import type { Config } from '#kernel/config'
import { invalid } from '#kernel/errors'
import { unknownRoute } from './route-table.ts'
import { onBehalfOf } from '#kernel/db'

interface Hooks {
  onRequest: onRequestHookHandler
  onResponse: onResponseHookHandler
}

/** What a route declares. */
export interface RouteRules {
  url: string
  config: FastifyContextConfig
}

/**
 * Adds a hook to every route registered from now on. `make` runs once per route, because reading a route's config on
 * every request costs more than the hook itself. Unknown paths get a hook made without a route.
 */
export function hookRoutes<Name extends keyof Hooks>(
  app: FastifyInstance,
  name: Name,
  make: (route: RouteRules | undefined) => Hooks[Name],
): void {
  const ofUnknown = make(undefined) as onRequestHookHandler
  app.addHook('onRoute', (route) => {
    const own = make({ url: route.url, config: route.config ?? {} })
    const earlier = [route[name] ?? []].flat()
    Object.assign(route, { [name]: [...earlier, own] })
  })
  app.addHook(name as 'onRequest', function hookUnknown(request, reply, done) {
    if (request.is404) ofUnknown.call(this, request, reply, done)
    else done()
  })
}

const policy = [
  "default-src 'self'",
  "script-src 'self'",
  // Popovers and the like position themselves by inline styles; scripts stay strict.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function securityHeaders(app: FastifyInstance, config: Config): void {
  const headers: Record<string, string> = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
  if (config.PUBLIC_URL?.startsWith('https:')) headers['strict-transport-security'] = 'max-age=31536000'
  // Clients with an API key are no browsers: a kilobyte of headers about showing pages would be wasted on them.
  const forPrograms = (reply: FastifyReply): FastifyReply => reply.header('x-content-type-options', 'nosniff')
  const forBrowsers = (reply: FastifyReply): FastifyReply => reply.headers(headers)
  hookRoutes(app, 'onRequest', (route) => {
    const { keyOnly, idHeader } = route?.config ?? {}
    const add = keyOnly ? forPrograms : forBrowsers
    return (request, reply, done) => {
      add(reply.header('x-request-id', request.id))
      if (idHeader !== undefined) void reply.header(idHeader, request.id)
      done()
    }
  })
}

/** Refuses what no route can serve before its body is read. */
export function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // No text of a query or a path may contain NUL: PostgreSQL cannot store it.
    if (request.url.includes('%00')) return done(invalid('The request URL must not contain NUL characters.'))
    // A proxy in front and this server could each believe another one.
    if (hostsIn(request.raw.rawHeaders) > 1)
      return done(invalid('The request has more than one Host header. Send one.'))
    if (request.is404 && request.method !== 'GET') return done(unknownRoute(app, request))
    done()
  })
}

/** Node keeps only the first of them in the headers. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

/** The queries of all requests of a person count together, whatever key they use: one person leaves connections to others. */
export function countByCaller(app: FastifyInstance): void {
  app.addHook('preHandler', (request, reply, done) => {
    const { principal } = request
    request.readyMs = reply.elapsedTime
    onBehalfOf(principal?.user?.id ?? principal?.key?.id ?? 'nobody', done)
  })
}
