import { randomBytes } from 'node:crypto'

/** UUIDs that carry a time (version 7): the ids of requests, events and records. */

/** In lower or upper case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The smallest uuid of a millisecond: all ids made before it sort below, all others above. */
export function lowestId(at: Date | number): string {
  const hex = Math.max(0, Number(at)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The time that a time-ordered uuid carries. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

const digitsEach = 20
/** Random hexadecimal digits, generated in bulk. */
const pool = { digits: '', used: 0 }

const variants = ['8', '9', 'a', 'b']

/** A uuid of version 7 without hyphens. */
function digitsOfId(at: number): string {
  if (pool.used === pool.digits.length) {
    pool.digits = randomBytes((digitsEach / 2) * 512).toString('hex')
    pool.used = 0
  }
  const from = pool.used
  pool.used += digitsEach
  const { digits } = pool
  const variant = variants[digits.charCodeAt(from + 3) & 3]
  return `${at.toString(16).padStart(12, '0')}7${digits.slice(from, from + 3)}${variant}${digits.slice(from + 4, from + 19)}`
}

/** For a new record. IDs sort by the time they were made, to the millisecond. */
export const newId = (at = Date.now()): string => hyphenated(digitsOfId(at))

/**
 * Always ours: the ledger relies on it being unique, so a caller's header is not taken over. It carries its time, so
 * that requests sort, page and are put away by their time of arrival.
 */
export const newRequestId = (): string => `req_${digitsOfId(Date.now())}`

/** The UUID of a request's id, with hyphens. */
export const requestUuid = (requestId: string): string => hyphenated(requestId.slice('req_'.length))

function hyphenated(digits: string): string {
  const part = (from: number, to: number): string => digits.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}

/** The ID of a request by its UUID. */
export const requestIdOf = (uuid: string): string => `req_${uuid.replaceAll('-', '')}`

/** When the request arrived, to the millisecond, from its id. */
export function requestTime(requestId: string): Date {
  return new Date(Number.parseInt(requestId.slice(4, 16), 16))
}
