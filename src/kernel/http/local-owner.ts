import type { FastifyRequest } from 'fastify'
import { isLoopback } from '#kernel/config'
import { Fault, faults } from '#kernel/errors'

/** In local mode any other host name means DNS rebinding, or a proxy without PUBLIC_URL. */
export function checkHost(request: FastifyRequest): void {
  if (isLoopback(hostName(request))) return
  throw new Fault(
    faults.forbidden,
    'In local mode only loopback names such as localhost are accepted. To use another name, set PUBLIC_URL.',
  )
}

/** Why this request is not the local owner's; undefined when it is. */
export function whyNotLocal(request: FastifyRequest): Fault | undefined {
  if (!isLoopback(request.raw.socket.remoteAddress ?? '')) {
    return new Fault(
      faults.notAuthenticated,
      'Only requests from this machine are accepted without sign-in. Send an API key.',
    )
  }
  if (cameThroughProxy(request)) {
    return new Fault(
      faults.notAuthenticated,
      'This request came through a proxy, so it is not the local owner. Sign in or send an API key, and set PUBLIC_URL.',
    )
  }
  if (!isSameOrigin(request, undefined) || isForeignFetch(request)) {
    return new Fault(
      faults.forbidden,
      'This request comes from another site. Use the dashboard at its own address.',
    )
  }
  return undefined
}

/** No Origin header is fine here: browsers send it with everything that changes something. */
export function isSameOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin } = request.headers
  if (origin === undefined) return !isForeignFetch(request)
  const own = publicUrl === undefined ? `http://${request.headers.host ?? ''}` : new URL(publicUrl).origin
  return origin.toLowerCase() === own.toLowerCase()
}

/** Browsers send where a fetch comes from. Following a link to a page is harmless. */
function isForeignFetch(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return !(request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate')
}

/** By default nginx uses HTTP/1.0 to its upstream and adds no header. */
function cameThroughProxy(request: FastifyRequest): boolean {
  if (request.raw.httpVersion === '1.0') return true
  return Object.keys(request.headers).some((name) => /^(forwarded|x-forwarded-.*|x-real-ip|via)$/.test(name))
}

function hostName(request: FastifyRequest): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '')
}
