import type { DatabaseError } from 'pg'
import { Fault, faults, messageOf } from '#kernel/errors'
import { isDatabaseDown } from '#kernel/db'
import { mask } from '#kernel/mask'

/** The statement itself failed in the database: the caller's error, with PostgreSQL's own code and place. */
export class SqlError extends Fault {
  readonly sqlstate: string
  /** Index of the character in the statement, from 0. */
  readonly position: number | null

  constructor(message: string, sqlstate: string, position: number | null, cause?: unknown) {
    super(faults.sqlError, message, { cause })
    this.sqlstate = sqlstate
    this.position = position
  }

  override body(): ReturnType<Fault['body']> {
    const { error } = super.body()
    return { error: Object.assign(error, { sqlstate: this.sqlstate, position: this.position }) }
  }
}

/** Errors of a running statement as faults; `timeoutMs` is for the message only. */
export function asFault(error: unknown, timeoutMs: number): unknown {
  if (error instanceof Fault) return error
  const { code } = error as { code?: string }
  // Missing parameters are a violation of the protocol too, and the caller's mistake.
  if (code !== '08P01' && isDatabaseDown(error))
    return new Fault(faults.unavailable, 'The database cannot be reached. Try again later.', {
      internal: mask(messageOf(error)),
      headers: { 'retry-after': '5' },
      cause: error,
    })
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return error
  const { position } = error as DatabaseError
  const place = position === undefined ? null : Number(position) - 1
  return new SqlError(explained(code, messageOf(error), timeoutMs), code, place, error)
}

function explained(code: string, message: string, timeoutMs: number): string {
  if (code === '57014') return `The statement was cancelled after ${timeoutMs} ms.`
  if (code === '55P03') return `${sentence(message)} Another session holds a lock on it.`
  if (code === '42501') return `${sentence(message)} The agents' role has no right to it.`
  return sentence(message)
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
