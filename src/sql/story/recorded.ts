import type { Attempt, Outcome } from '../audit/audit.ts'
import type { StoryDeps } from './deps.ts'
import { Fault, messageOf } from '#kernel/errors'
import { mask } from '#kernel/mask'
import { ClassificationFault } from '../classify/classification.ts'
import { Refusal } from '../refusal.ts'
import { SqlError } from '../run/faults.ts'

/** What was done, for the caller and for the audit log. */
export interface Done<T> {
  outcome: Outcome
  value: T
}

/**
 * An attempt from beginning to end, in the audit log whatever happens. `prepare` asks everything that can refuse it and
 * touches no data; `act` runs between the two entries of the log.
 */
export async function recorded<R, T>(
  { audit, count }: StoryDeps,
  attempt: Attempt,
  prepare: () => Promise<R>,
  act: (ready: R, auditId: string) => Promise<Done<T>>,
): Promise<T> {
  const counted = (outcome: Outcome): Outcome => {
    count(attempt.kind, outcome.status)
    return outcome
  }
  let ready: R
  try {
    ready = await prepare()
  } catch (error) {
    await audit.record(attempt, counted(refusedBy(error)))
    throw forCaller(error)
  }
  try {
    return await audit.around(
      attempt,
      async (id) => {
        const done = await act(ready, id)
        counted(done.outcome)
        return done
      },
      (error) => counted(failedBy(error)),
    )
  } catch (error) {
    throw forCaller(error)
  }
}

/** What the caller gets: PostgreSQL's messages may repeat values of the statement, and so keys. */
function forCaller(error: unknown): unknown {
  if (error instanceof ClassificationFault && error.sqlstate !== null)
    return new SqlError(mask(error.message), error.sqlstate, error.position, error)
  if (error instanceof SqlError)
    return new SqlError(mask(error.message), error.sqlstate, error.position, error.cause)
  return error
}

/** What the audit log says about an attempt that ended with an error before anything ran. */
function refusedBy(error: unknown): Outcome {
  const isOurs = !(error instanceof Fault) || error.status >= 500
  return { status: isOurs ? 'failed' : 'refused', error: messageFor(error), ...ruleOf(error) }
}

/** The same for one that ran. */
function failedBy(error: unknown): Outcome {
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
