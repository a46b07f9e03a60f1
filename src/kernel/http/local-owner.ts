import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '#kernel/config'
import { Fault, faults, tooMany } from '#kernel/errors'
import type { RateLimit } from './rate-limit.ts'

/** In local mode any other host name means DNS rebinding, or a proxy without PUBLIC_URL. */
export function checkHost(request: FastifyRequest): void {
  if (isLoopback(hostName(request))) return
  throw new Fault(
    faults.forbidden,
    'In local mode only loopback names such as localhost are accepted. To use another name, set PUBLIC_URL.',
  )
}

/** Why this request cannot be the local owner's, whatever token it carries. */
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

export type IsOwnerToken = (token: string) => boolean

/** The proof that a request from this machine is the owner's: nothing about its address or headers is one. */
export function hasOwnerToken(request: FastifyRequest, isOwnerToken: IsOwnerToken): boolean {
  const header = request.headers['x-owner-token']
  const token = typeof header === 'string' ? header : ownerCookie(request)
  return token !== undefined && isOwnerToken(token)
}

/**
 * The link that the terminal prints leads to the page without the token in the address. With the right token the
 * browser keeps it as a cookie.
 */
export function openOwnerLink(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  {
    isOwnerToken,
    wrongLinks,
    groupId,
  }: { isOwnerToken: IsOwnerToken; wrongLinks: RateLimit; groupId: unknown },
): FastifyReply {
  const isOwner = whyNotLocal(request) === undefined && isOwnerToken(token)
  // Only wrong ones are counted: guessing tokens must not lock the owner out.
  const seconds = isOwner ? 0 : wrongLinks(request.ip)
  if (seconds > 0) throw tooMany('ownerLinks', seconds)
  if (isOwner) {
    const cookie = `${cookieName(request)}=${token}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict`
    void reply.header('set-cookie', cookie)
  }
  return reply
    .header('cache-control', 'no-store')
    .redirect(isGroupId(groupId) ? `/?group_id=${groupId}` : '/', 303)
}

/** Nothing else of the link is kept in the address. */
const isGroupId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

const cookieSeconds = 365 * 24 * 3600

/** Browsers share cookies among the ports of a host, so each server has a name of its own. */
const cookieName = (request: FastifyRequest): string => `signalbox_owner_${request.raw.socket.localPort}`

function ownerCookie(request: FastifyRequest): string | undefined {
  const prefix = `${cookieName(request)}=`
  for (const part of request.headers.cookie?.split(';') ?? []) {
    const pair = part.trim()
    if (pair.startsWith(prefix)) return pair.slice(prefix.length)
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
