import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { Fault, faults } from '#kernel/errors'

/** The list that each database keeps of the migrations it has. The agents may add to it, not change it. */
export const appliedTable = (name: string): string => `create table if not exists ${name} (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz(3) not null default now(),
  applied_by text not null
)`

export function hashOf(statements: readonly string[]): string {
  const hash = createHash('sha256')
  // Lengths keep the borders: ['a', 'b'] is not ['ab'].
  for (const statement of statements) hash.update(`${Buffer.byteLength(statement)}\n${statement}\n`)
  return hash.digest('hex')
}

/** When it was applied with this text; undefined: never. One with another text is a conflict. */
export async function appliedAt(
  client: PoolClient,
  name: string,
  statements: readonly string[],
): Promise<string | undefined> {
  // Two at once: the second waits and finds what the first has done.
  await client.query(`select pg_advisory_xact_lock(hashtextextended('signalbox migrations', 0))`)
  await ensureList(client)
  const { rows } = await client.query<{ sha256: string; at: string }>(
    `select sha256, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
     from signalbox_migrations where name = $1`,
    [name],
  )
  const [row] = rows
  if (row && row.sha256 !== hashOf(statements))
    throw new Fault(
      faults.conflict,
      `The migration ${name} was applied at ${row.at} with another text. Give the changed one a new name.`,
    )
  return row?.at
}

/** A set-up makes the list. An address that is used as it is makes it with its first migration, if it may. */
async function ensureList(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('signalbox_migrations') is not null as there`,
  )
  if (rows[0]?.there === true) return
  try {
    await client.query(appliedTable('signalbox_migrations'))
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new Fault(
      faults.conflict,
      'This database has no list of migrations (signalbox_migrations), and the login of its address may not create it. Set the database up: signalbox sql setup NAME.',
      { cause: error },
    )
  }
}

export async function noteApplied(
  client: PoolClient,
  call: { name: string; statements: readonly string[]; by: string },
): Promise<void> {
  await client.query('insert into signalbox_migrations (name, sha256, applied_by) values ($1, $2, $3)', [
    call.name,
    hashOf(call.statements),
    call.by,
  ])
}
