import type { Kysely } from 'kysely'
import { Fault, faults, notFound } from '#kernel/errors'
import { Secret } from '#kernel/log'
import type { SecretStore } from '#vault'
import type { Images, NotKept } from './images.ts'
import type { UndoTables } from './tables.ts'
import {
  deleteExpiredReasons,
  findUndo,
  insertUndo,
  listExpired,
  markUndone,
  unmarkUndone,
  type UndoRow,
} from './undo-store.ts'

const keptDays = 7
const noRows = { schema_name: null, table_name: null, operation: null, row_count: 0, secret_id: null }

/** Rows as they were before changes: sealed, and kept for a week. */
export interface KeptRows {
  keep(
    change: { groupId: string; auditId: string; database: string; agentId: string },
    kept: Images | NotKept,
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
    async keep({ groupId, auditId, database, agentId }, kept) {
      const change = {
        audit_id: auditId,
        group_id: groupId,
        database,
        agent_id: agentId,
        expires_at: new Date(Date.now() + keptDays * 86_400_000),
      }
      if ('reason' in kept) return insertUndo(db, { ...change, ...noRows, reason: kept.reason })
      const { schema, table, operation, rows } = kept
      const secretId = await secrets.put(groupId, new Secret(JSON.stringify(rows)))
      await insertUndo(db, {
        ...change,
        schema_name: schema,
        table_name: table,
        operation,
        row_count: rows.length,
        secret_id: secretId,
        reason: null,
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
      const { schema_name: schema, table_name: table, operation, secret_id: secretId } = row
      if (secretId === null || schema === null || table === null || operation === null)
        throw new Fault(faults.conflict, `This change cannot be undone. ${row.reason}`)
      const sealed = await secrets.open(row.group_id, secretId)
      return {
        schema,
        table,
        operation,
        rows: JSON.parse(sealed.reveal()) as Images['rows'],
      }
    },
    claim: (row, attemptId) => markUndone(db, row.audit_id, attemptId),
    release: (row, attemptId) => unmarkUndone(db, row.audit_id, attemptId),
    async eraseExpired() {
      // The rows go with their secrets.
      for (const { group_id, secret_id } of await listExpired(db, 1_000))
        if (secret_id !== null) await secrets.remove(group_id, secret_id)
      await deleteExpiredReasons(db)
    },
  }
}
