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

/** What a route says of itself. */
interface RouteRules {
  url: string
  config: FastifyContextConfig
}

/**
 * Adds a hook to every route that is registered from now on, made for that route: what its rules decide is decided
 * once. Asking Fastify for them with each request costs more than the hook. Unknown paths get one made without rules.
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
