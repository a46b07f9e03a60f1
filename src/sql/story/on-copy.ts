import { Fault, faults } from '#kernel/errors'
import { mask } from '#kernel/mask'
import type { CopyTrial, MigrateBody } from '../contract.ts'
import type { AskedMigration } from '../migrate/history.ts'
import type { StoryDeps } from './deps.ts'
import type { Prepared } from './prepared.ts'

const rowWrites = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'SELECT', 'DO', 'CALL'])

/** What a copy of the schema shows, if the call asks for it. It is kept with the migration, if that is known. */
export async function onCopy(
  { tryOnCopy, history }: StoryDeps,
  { caller, reading, body, asked }: Prepared & { body: MigrateBody; asked: AskedMigration },
): Promise<CopyTrial | null> {
  if (body.trial !== 'copy') return null
  const copy = await tryOnCopy({
    groupId: caller.group.id,
    database: body.database,
    statements: reading.statements.map(({ operations, normalized, carriesSecret }, at) => {
      const sql = reading.texts[at] ?? ''
      const changesRows = operations.some(({ name, inner }) => !inner && rowWrites.has(name))
      return { sql, shown: mask(carriesSecret ? normalized : sql), changesRows }
    }),
    signal: caller.signal,
  })
  await history.tried(asked, copy)
  return copy
}

/** What fails on a copy would fail for real. */
export function refuseFailed(copy: CopyTrial | null): void {
  const at = copy?.statements.findIndex(({ error }) => error !== null) ?? -1
  const failed = copy?.statements[at]
  if (copy && failed)
    throw new Fault(
      faults.conflict,
      `Nothing ran: statement ${at + 1} of ${copy.statements.length} failed on a copy of the schema. ${failed.error}`,
    )
}
