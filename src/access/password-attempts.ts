import { isIPv6 } from 'node:net'
import { sql, type Kysely } from 'kysely'
import { tooMany } from '#kernel/errors'
import type { AccessTables } from './tables.ts'
import { hashToken } from './token.ts'

/** Who tries a password, and for which account. */
export interface Attempt {
  email: string
  address: string
}

interface Counter {
  subject: Buffer
  failures: number
  seconds: number
}

/** Limits wrong passwords on every route that checks one; counted in the database, for all processes together. */
export function createPasswordAttempts(db: Kysely<AccessTables>) {
  return {
    /** Checks a password, unless there were too many failures. What throws is a failure too. */
    async limit<T>(attempt: Attempt, check: () => Promise<T>, isRight: (result: T) => boolean): Promise<T> {
      const counters = countersOf(attempt)
      // Counted before the check, so that many at the same moment do not all pass. What one counter refuses does not
      // reach the next: guesses from one address cannot use up the limit of the account.
      for (const counter of counters) await count(db, counter)
      const result = await check()
      if (isRight(result)) await forget(db, counters)
      return result
    },
  }
}

export type PasswordAttempts = ReturnType<typeof createPasswordAttempts>

/**
 * A person who mistypes meets the first limit. The second stops guesses for many accounts from one address, and is
 * wide enough for a company behind one proxy; the third stops guesses for one account from many addresses.
 */
function countersOf({ email, address }: Attempt): readonly [Counter, Counter, Counter] {
  const account = email.trim().toLowerCase()
  const network = networkOf(address)
  return [
    { subject: hashToken(`${account}\n${network}`), failures: 10, seconds: 300 },
    { subject: hashToken(`address\n${network}`), failures: 300, seconds: 300 },
    { subject: hashToken(`account\n${account}`), failures: 100, seconds: 900 },
  ]
}

/** An IPv6 host has a whole /64 of addresses. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.toLowerCase().startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean))
  const zeros = 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: zeros }, () => '0'), ...(after ?? [])]
  return groups.slice(0, 4).join(':')
}

async function count(db: Kysely<AccessTables>, { subject, failures, seconds }: Counter): Promise<void> {
  const { rows } = await sql<{ failures: number; wait: number }>`
    insert into access.password_attempts as a (subject, failures, expires_at)
    values (${subject}, 1, now() + make_interval(secs => ${seconds}::integer))
    on conflict (subject) do update set
      failures = case when a.expires_at <= now() then 1 else a.failures + 1 end,
      expires_at = case when a.expires_at <= now() then excluded.expires_at else a.expires_at end
    returning failures, greatest(1, ceil(extract(epoch from expires_at - now())))::integer as wait
  `.execute(db)
  const [row] = rows
  if (row !== undefined && row.failures > failures) throw tooMany('passwords', row.wait)
}

/** The right password clears this person's failures, and is none for the address and the account. */
async function forget(
  db: Kysely<AccessTables>,
  [person, ...others]: readonly [Counter, ...Counter[]],
): Promise<void> {
  await sql`delete from access.password_attempts where subject = ${person.subject}`.execute(db)
  for (const { subject } of others)
    await sql`
      update access.password_attempts set failures = failures - 1 where subject = ${subject} and failures > 0
    `.execute(db)
}
