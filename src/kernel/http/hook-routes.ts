import type {
  FastifyContextConfig,
  FastifyInstance,
  onRequestHookHandler,
  onResponseHookHandler,
} from 'fastify'

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
