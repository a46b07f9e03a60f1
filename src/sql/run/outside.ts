import type { PoolClient } from 'pg'
import { trialLockMs, trialMs } from './limits.ts'
import { ours, type Connections } from './pools.ts'
import { inSession } from './session.ts'

/** Reads what others see, so the rows as they were before this transaction. */
export type Outside = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>

/** As the reader, whose connections never wait for those that write. */
export const outsideOf =
  (connections: Connections, { signal }: { signal: AbortSignal }): Outside =>
  (work) =>
    inSession(
      connections,
      { access: 'read', owner: ours, statementMs: trialMs, lockMs: trialLockMs, ending: 'rollback', signal },
      work,
    )

/** Asks in the transaction itself. */
export const askIn =
  (client: PoolClient) =>
  async (sql: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>(sql, values)).rows

/** Looks at what has run, with a way to ask in the same transaction. */
export type Verify = (inside: ReturnType<typeof askIn>) => Promise<void>
