import type { Attempt, Outcome } from '../audit/audit.ts'
import type { StoryDeps } from './deps.ts'
import { failedBy, forCaller, refusedBy } from './faults.ts'

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
