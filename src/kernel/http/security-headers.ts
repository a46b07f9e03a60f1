import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '#kernel/config'
import { hookRoutes } from './hook-routes.ts'

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
