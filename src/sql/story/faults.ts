import { Fault, messageOf } from '#kernel/errors'
import { mask } from '#kernel/mask'
import type { Outcome } from '../audit/audit.ts'
import { ClassificationFault } from '../classify/classification.ts'
import { Refusal } from '../refusal.ts'
import { SqlError } from '../run/faults.ts'

/** What the caller gets: PostgreSQL's messages may repeat values of the statement, and so keys. */
export function forCaller(error: unknown): unknown {
  if (error instanceof ClassificationFault && error.sqlstate !== null)
    return new SqlError(mask(error.message), error.sqlstate, error.position, error)
  if (error instanceof SqlError)
    return new SqlError(mask(error.message), error.sqlstate, error.position, error.cause)
  return error
}

/** What the audit log says about an attempt that ended with an error before anything ran. */
export function refusedBy(error: unknown): Outcome {
  const isOurs = !(error instanceof Fault) || error.status >= 500
  return { status: isOurs ? 'failed' : 'refused', error: messageFor(error), ...ruleOf(error) }
}

/** The same for one that ran. */
export function failedBy(error: unknown): Outcome {
  if (error instanceof Refusal) return { status: 'refused', error: error.message, rule: error.rule }
  return { status: 'failed', error: messageFor(error) }
}

/** Internal errors are for the log only. */
const messageFor = (error: unknown): string =>
  error instanceof Fault ? messageOf(error) : 'Internal error; see the log of the server.'

function ruleOf(error: unknown): { rule?: string } {
  if (error instanceof Refusal) return { rule: error.rule }
  if (error instanceof ClassificationFault) return { rule: error.reason }
  return error instanceof Fault ? { rule: error.code } : {}
}
