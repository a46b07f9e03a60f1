import { z } from 'zod'
import { copyTrial } from './copy-trial.ts'
import { evidence } from './execute.ts'
import { callFields, line, operations, sqlText } from './fields.ts'

export const migrateBody = z
  .strictObject({
    ...callFields,
    name: line(200).meta({
      description: 'Runs once in a database: the same name with the same text is not run again.',
      examples: ['2026-11-16-orders-by-customer'],
    }),
    sql: sqlText.optional().meta({ description: 'All statements in one text.' }),
    statements: z.array(sqlText).min(1).max(1_000).optional(),
    checks: z
      .array(sqlText)
      .max(50)
      .default([])
      .meta({ description: 'Queries that run before and after, for comparison.' }),
    rollback: z.array(sqlText).max(1_000).default([]).meta({
      description:
        'The way back: statements that take the migration back. Stored with it, and judged by the policy when they are used.',
    }),
    trial: z.enum(['transaction', 'copy']).default('transaction').meta({
      description:
        '`copy`: the statements are tried on a copy of the schema without rows, which shows what each of them locks and rewrites, with an estimate of the time on the real tables. With `dry_run` the real database is only read; otherwise it is tried there before it runs or asks for approval.',
    }),
  })
  .meta({
    examples: [
      {
        database: 'application',
        name: '2026-11-16-notes',
        statements: ['CREATE TABLE IF NOT EXISTS notes (id bigint PRIMARY KEY)'],
        reason: 'Notes of support cases',
        checks: ["SELECT to_regclass('notes') IS NOT NULL AS there"],
      },
    ],
  })

const checkResult = z.object({
  sql: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
const warning = z.object({ rule: z.string(), message: z.string() })

export const migrated = z
  .object({
    status: z.literal('executed'),
    name: z.string(),
    operations,
    rows_affected: z.int().nullable(),
    checks: z.array(checkResult),
    warnings: z.array(warning),
    duration_ms: z.number(),
    audit_id: z.uuid(),
  })
  .meta({
    id: 'SqlMigrated',
    examples: [
      {
        status: 'executed',
        name: '2026-11-16-notes',
        operations: ['CREATE TABLE'],
        rows_affected: 0,
        checks: [
          {
            sql: "SELECT to_regclass('notes') IS NOT NULL AS there",
            before: [{ there: false }],
            after: [{ there: true }],
          },
        ],
        warnings: [],
        duration_ms: 6.2,
        audit_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
      },
    ],
  })

export const alreadyApplied = z
  .object({ status: z.literal('already_applied'), name: z.string(), applied_at: z.string().nullable() })
  .meta({ id: 'SqlAlreadyApplied' })

export const migrationDryRun = z
  .object({
    status: z.literal('dry_run'),
    operations,
    decision: z.enum(['execute', 'approve']),
    plan: z.unknown(),
    rows_affected: z.int().nullable(),
    preview: evidence,
    checks: z.array(checkResult),
    warnings: z.array(warning),
    copy: copyTrial.nullable().meta({ description: 'With `trial: "copy"`: what happened on the copy.' }),
  })
  .meta({ id: 'SqlMigrationDryRun' })

export type MigrateBody = z.infer<typeof migrateBody>
export type Migrated = z.infer<typeof migrated>
export type AlreadyApplied = z.infer<typeof alreadyApplied>
export type MigrationDryRun = z.infer<typeof migrationDryRun>
