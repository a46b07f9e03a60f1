import type { PoolClient } from 'pg'
import { Fault } from '#kernel/errors'
import { fetchRows } from '../run/fetch.ts'
import { asFault, SqlError } from '../run/faults.ts'
import { columnsOf } from '../run/columns.ts'
import type { Check } from './migration.ts'

const checkRows = 100

/** The results of the checks as they are now. One that fails is reported in its place and stops nothing. */
export async function runChecks(client: PoolClient, checks: readonly Check[]): Promise<unknown[]> {
  const results: unknown[] = []
  for (const check of checks) results.push(await runCheck(client, check))
  return results
}

async function runCheck(client: PoolClient, { masked, shown }: Check): Promise<unknown> {
  await client.query('savepoint checking')
  try {
    const { rows, fields } = await fetchRows(client, masked, [], { maxRows: checkRows, access: 'read' })
    const columns = await columnsOf(client, fields)
    await client.query('release savepoint checking')
    return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])))
  } catch (error) {
    const fault = asFault(error, 0)
    if (!(fault instanceof SqlError)) throw error
    // A table that the migration creates is not there before it.
    await client.query('rollback to savepoint checking')
    return { error: shown(fault).message, sqlstate: fault.sqlstate }
  }
}

/** Runs the statements in order. A failing one is named by its number, from 1. */
export async function runStatements(
  client: PoolClient,
  statements: readonly string[],
  writesInside: readonly (readonly string[])[],
): Promise<number | null> {
  let total: number | null = null
  for (const [index, sql] of statements.entries()) {
    try {
      const limits = { maxRows: 1, access: 'write', writesInside: writesInside[index] ?? [] } as const
      const { rowsAffected } = await fetchRows(client, sql, [], limits)
      if (rowsAffected !== null) total = (total ?? 0) + rowsAffected
    } catch (error) {
      throw numbered(error, index + 1, statements.length)
    }
  }
  return total
}

function numbered(error: unknown, number: number, count: number): unknown {
  const fault = asFault(error, 0)
  if (!(fault instanceof SqlError) || count === 1) return fault instanceof Fault ? fault : error
  return new SqlError(
    `Statement ${number} of ${count}: ${fault.message}`,
    fault.sqlstate,
    fault.position,
    error,
  )
}
