import type { onRequestHookHandler } from 'fastify'
import type { Config } from '#kernel/config'

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

export function securityHeaders(config: Config): onRequestHookHandler {
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
  return (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Programs with a key, the hot path: what only tells a browser how to show a page would be a kilobyte for nothing.
    if (request.routeOptions.config.keyOnly) reply.header('x-content-type-options', 'nosniff')
    else reply.headers(headers)
    done()
  }
}
