import { z } from 'zod'
import { callFields, operations, sqlText, time } from './fields.ts'

export const maxRowsLimit = 10_000

export const executeBody = z
  .strictObject({
    ...callFields,
    sql: sqlText.meta({ description: 'One statement. Values go into `params`, as `$1`, `$2`.' }),
    params: z.array(z.unknown()).max(1_000).default([]),
    max_rows: z.int().min(1).max(maxRowsLimit).default(1_000),
  })
  .meta({
    examples: [{ database: 'application', sql: 'SELECT 1 AS one', reason: 'Try the connection' }],
  })

export const executed = z
  .object({
    status: z.literal('executed'),
    operations,
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.unknown()),
    row_count: z.int(),
    rows_affected: z.int().nullable(),
    truncated: z.boolean().meta({ description: 'There are more rows or bytes than were returned.' }),
    masked: z
      .array(z.string())
      .optional()
      .meta({ description: 'Columns whose values are masked; left out where there are none.' }),
    duration_ms: z.number(),
    audit_id: z.uuid(),
  })
  .meta({
    id: 'SqlExecuted',
    examples: [
      {
        status: 'executed',
        operations: ['SELECT'],
        columns: [{ name: 'one', type: 'integer' }],
        rows: [{ one: 1 }],
        row_count: 1,
        rows_affected: null,
        truncated: false,
        duration_ms: 0.8,
        audit_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
      },
    ],
  })

const tableEffect = z.object({
  schema: z.string(),
  name: z.string(),
  inserted: z.int(),
  updated: z.int(),
  deleted: z.int(),
})

export const effect = z.object({
  tables: z.array(tableEffect).meta({ description: 'Rows per table, cascades and triggers included.' }),
  created: z.array(z.string()),
  dropped: z.array(z.string()),
  altered: z.array(z.string()),
  rows: z
    .array(z.object({ table: z.string(), hash: z.string().nullable() }))
    .optional()
    .meta({
      description:
        'Which rows are updated or deleted, as a hash of their primary keys, or of whole rows where a table has none. Null: they could not be read in time, so only their number is compared when it runs.',
    }),
})

export const evidence = z
  .object({
    effect: effect.nullable(),
    rows_affected: z.int().nullable(),
    locks: z.array(z.object({ relation: z.string(), mode: z.string() })),
    rewritten: z.array(z.string()).meta({ description: 'Tables whose files would be rewritten.' }),
    other_sessions: z.int().meta({ description: 'Sessions that use these tables now.' }),
    plan: z.unknown(),
    duration_ms: z.number(),
    skipped: z.string().nullable().meta({ description: 'Why it could not be tried, or what stopped it.' }),
    warnings: z
      .array(z.object({ rule: z.string(), message: z.string() }))
      .meta({ description: 'What the linter says about a migration.' }),
    checks: z
      .array(z.object({ sql: z.string(), before: z.unknown(), after: z.unknown() }))
      .meta({ description: 'Checks of a migration, before and after.' }),
    masked: z.array(z.string()).optional().meta({ description: 'Masked columns that take part.' }),
    grant_id: z.uuid().nullable().optional().meta({ description: 'A grant that takes part.' }),
  })
  .meta({
    id: 'SqlEvidence',
    examples: [
      {
        effect: {
          tables: [{ schema: 'public', name: 'orders', inserted: 0, updated: 0, deleted: 12 }],
          created: [],
          dropped: [],
          altered: [],
        },
        rows_affected: 12,
        locks: [{ relation: 'public.orders', mode: 'RowExclusiveLock' }],
        rewritten: [],
        other_sessions: 0,
        plan: null,
        duration_ms: 3.1,
        skipped: null,
        warnings: [],
        checks: [],
      },
    ],
  })

export const dryRun = z
  .object({
    status: z.literal('dry_run'),
    operations,
    decision: z.enum(['execute', 'approve']),
    plan: z.unknown(),
    rows_affected: z.int().nullable(),
    preview: evidence,
  })
  .meta({ id: 'SqlDryRun' })

export const pendingApproval = z
  .object({
    status: z.literal('pending_approval'),
    approval_id: z.uuid(),
    operations,
    preview: evidence,
    expires_at: time,
  })
  .meta({ id: 'SqlPendingApproval' })

export type ExecuteBody = z.infer<typeof executeBody>
export type Executed = z.infer<typeof executed>
export type SqlEffect = z.infer<typeof effect>
export type SqlEvidence = z.infer<typeof evidence>
export type DryRun = z.infer<typeof dryRun>
export type PendingApproval = z.infer<typeof pendingApproval>
