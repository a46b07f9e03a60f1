import type { Kysely } from 'kysely'
import { Fault, faults, notFound } from '#kernel/errors'
import { Secret } from '#kernel/log'
import type { SecretStore } from '#vault'
import type { Images } from './images.ts'
import type { UndoTables } from './tables.ts'
import { findUndo, insertUndo, listExpired, markUndone, unmarkUndone, type UndoRow } from './undo-store.ts'

const keptDays = 7

/** Rows as they were before approved changes: sealed, and kept for a week. */
export interface KeptRows {
  keep(
    change: { groupId: string; auditId: string; database: string; agentId: string },
    images: Images,
  ): Promise<void>
  /** Throws `not_found` where nothing is kept. */
  find(groupId: string, auditId: string): Promise<UndoRow>
  /** Throws `conflict` where it was undone already. */
  open(row: UndoRow): Promise<Images>
  /** Right before the undo is committed. False: another one was faster. */
  claim(row: UndoRow, attemptId: string): Promise<boolean>
  /** The undo that claimed them failed after all. */
  release(row: UndoRow, attemptId: string): Promise<void>
  eraseExpired(): Promise<void>
}

export function createKeptRows(db: Kysely<UndoTables>, secrets: SecretStore): KeptRows {
  return {
    async keep({ groupId, auditId, database, agentId }, { schema, table, operation, rows }) {
      const secretId = await secrets.put(groupId, new Secret(JSON.stringify(rows)))
      await insertUndo(db, {
        audit_id: auditId,
        group_id: groupId,
        database,
        schema_name: schema,
        table_name: table,
        agent_id: agentId,
        operation,
        row_count: rows.length,
        secret_id: secretId,
        expires_at: new Date(Date.now() + keptDays * 86_400_000),
      })
    },
    async find(groupId, auditId) {
      const row = await findUndo(db, groupId, auditId)
      if (!row) throw notFound('A change that can be undone')
      return row
    },
    async open(row) {
      if (row.undone_at !== null)
        throw new Fault(faults.conflict, `It was undone at ${row.undone_at.toISOString()}.`)
      const sealed = await secrets.open(row.group_id, row.secret_id)
      return {
        schema: row.schema_name,
        table: row.table_name,
        operation: row.operation,
        rows: JSON.parse(sealed.reveal()) as Images['rows'],
      }
    },
    claim: (row, attemptId) => markUndone(db, row.audit_id, attemptId),
    release: (row, attemptId) => unmarkUndone(db, row.audit_id, attemptId),
    async eraseExpired() {
      // The rows go with their secrets.
      for (const { group_id, secret_id } of await listExpired(db, 1_000))
        await secrets.remove(group_id, secret_id)
    },
  }
}
