import { z } from 'zod'
import { reason, time } from './fields.ts'

export const undoBody = z
  .strictObject({
    reason,
    approval_id: z.uuid().optional().meta({ description: 'The approval that was given for this undo.' }),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: 'Runs it in a transaction that is rolled back.' }),
  })
  .meta({ examples: [{ reason: 'The wrong customers were removed' }] })

export const undoable = z
  .object({
    audit_id: z.uuid(),
    database: z.string(),
    table: z.string().nullable(),
    operation: z.enum(['INSERT', 'UPDATE', 'DELETE']).nullable(),
    row_count: z.int(),
    expires_at: time,
    undone_at: time.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it cannot be undone.' }),
  })
  .meta({
    id: 'SqlUndoable',
    examples: [
      {
        audit_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        database: 'application',
        table: 'public.orders',
        operation: 'DELETE',
        row_count: 12,
        expires_at: '2026-11-23T09:30:00.000Z',
        undone_at: null,
        reason: null,
      },
    ],
  })

export type UndoBody = z.infer<typeof undoBody>
export type Undoable = z.infer<typeof undoable>
