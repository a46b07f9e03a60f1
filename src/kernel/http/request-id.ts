import { randomBytes } from 'node:crypto'

const randomBytesEach = 10
const pool = { bytes: Buffer.alloc(0), used: 0 }

/**
 * Always ours: the ledger relies on it being unique, so a caller's header is not taken over. It is a time-ordered
 * uuid (version 7) without hyphens, so that requests sort, page and are put away by their time of arrival.
 */
export function newRequestId(now = Date.now()): string {
  if (pool.used + randomBytesEach > pool.bytes.length) {
    pool.bytes = randomBytes(randomBytesEach * 512)
    pool.used = 0
  }
  const random = pool.bytes.toString('hex', pool.used, pool.used + randomBytesEach)
  pool.used += randomBytesEach
  const variant = ((Number.parseInt(random[3] ?? '0', 16) & 0x3) | 0x8).toString(16)
  return `req_${now.toString(16).padStart(12, '0')}7${random.slice(0, 3)}${variant}${random.slice(4, 19)}`
}

/** The uuid in a request's id, in its usual form. */
export function requestUuid(requestId: string): string {
  const part = (from: number, to: number): string => requestId.slice(from + 4, to + 4)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}

/** When the request came, which its id tells to the millisecond. */
export function requestTime(requestId: string): Date {
  return new Date(Number.parseInt(requestId.slice(4, 16), 16))
}
