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
  await oneAtATime(client)
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

/** Two at once: the second waits and finds what the first has done. */
async function oneAtATime(client: PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('signalbox migrations', 0))`)
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
      'This database has no list of migrations (signalbox_migrations), and the login of its address may not create it. Set the database up: npx signalbox sql setup NAME.',
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

/** Throws where the database does not have it, or has a later one. */
export async function checkLatest(client: PoolClient, name: string, sha256: string): Promise<void> {
  await oneAtATime(client)
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('signalbox_migrations') is not null as there`,
  )
  if (found[0]?.there !== true) throw notThere(name)
  const { rows } = await client.query<{ name: string; is_it: boolean }>(
    `select l.name, l.name = m.name as is_it from signalbox_migrations m
       join signalbox_migrations l on l.name = m.name or l.applied_at > m.applied_at
     where m.name = $1 and m.sha256 = $2 order by l.applied_at desc limit 4`,
    [name, sha256],
  )
  if (rows.length === 0) throw notThere(name)
  const later = rows.filter((row) => !row.is_it).map((row) => row.name)
  if (later.length > 0)
    throw new Fault(
      faults.conflict,
      `Later migrations may depend on ${name}. Roll these back first, the latest one first: ${later.join(', ')}.`,
    )
}

const notThere = (name: string): Fault =>
  new Fault(
    faults.conflict,
    `The database does not have the migration ${name}. It was rolled back already, or never applied.`,
  )

/** From now on it may run again. */
export async function removeApplied(client: PoolClient, name: string): Promise<void> {
  try {
    await client.query('delete from signalbox_migrations where name = $1', [name])
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new Fault(
      faults.conflict,
      'The login of the agents may not remove entries from the list of migrations (signalbox_migrations). Set the database up again: npx signalbox sql setup NAME.',
      { cause: error },
    )
  }
}
