import { randomBytes } from 'node:crypto'

const digitsEach = 20
/** Random hexadecimal digits, generated in bulk. */
const pool = { digits: '', used: 0 }

const variants = ['8', '9', 'a', 'b']

/**
 * Always ours: the ledger relies on it being unique, so a caller's header is not taken over. It is a time-ordered
 * uuid (version 7) without hyphens, so that requests sort, page and are put away by their time of arrival.
 */
export function newRequestId(now = Date.now()): string {
  if (pool.used === pool.digits.length) {
    pool.digits = randomBytes((digitsEach / 2) * 512).toString('hex')
    pool.used = 0
  }
  const at = pool.used
  pool.used += digitsEach
  const { digits } = pool
  const variant = variants[digits.charCodeAt(at + 3) & 3]
  return `req_${now.toString(16).padStart(12, '0')}7${digits.slice(at, at + 3)}${variant}${digits.slice(at + 4, at + 19)}`
}

/** Fastify calls it with the request, which says nothing about its ID. */
export const nextRequestId = (): string => newRequestId()

/** The UUID of a request's id, with hyphens. */
export function requestUuid(requestId: string): string {
  const part = (from: number, to: number): string => requestId.slice(from + 4, to + 4)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}

/** When the request arrived, to the millisecond, from its id. */
export function requestTime(requestId: string): Date {
  return new Date(Number.parseInt(requestId.slice(4, 16), 16))
}
