import type { FastifyInstance, RouteOptions } from 'fastify'
import { tooMany } from '#kernel/errors'
import { createRateLimit } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route verifies a signature over its body, and refuses a request without one before it reads the body. */
    signedBody?: boolean
  }
}

const maxBodyBytes = 16 * 1024
/** Wide enough for a company behind one proxy; passwords have narrower limits of their own. */
const limits = { burst: 300, perSecond: 10 }
/** Tools send a delivery for every change, and few of them send it again. */
const signedLimits = { burst: 2_000, perSecond: 50 }

/** Routes that work without identity do little: small bodies, and a limited number of requests per address. */
export function limitAnonymous(app: FastifyInstance): void {
  const [usual, signed] = [createRateLimit(limits), createRateLimit(signedLimits)]
  app.addHook('onRoute', (route) => {
    if (!isAnonymous(route)) return
    const limit = route.config?.signedBody ? signed : usual
    if (!route.config?.signedBody) route.bodyLimit = Math.min(route.bodyLimit ?? maxBodyBytes, maxBodyBytes)
    // Files of the dashboard and checks by load balancers are cheap, and there are many of them.
    if (!route.url.startsWith('/api/')) return
    route.onRequest = [
      (request, _reply, done) => {
        const seconds = limit(request.ip)
        done(seconds === 0 ? undefined : tooMany('requests', seconds))
      },
      ...[route.onRequest ?? []].flat(),
    ]
  })
}

const isAnonymous = ({ config }: RouteOptions): boolean =>
  config?.needs === 'anyone' || config?.needs === 'page'
