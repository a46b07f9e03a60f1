import { z } from 'zod'
import { askedBy } from './asked-by.ts'
import { copyTrial } from './copy-trial.ts'
import { effect, evidence } from './execute.ts'
import { operations, reason, time } from './fields.ts'

export const migrationStates = [
  'waiting',
  'approved',
  'running',
  'applied',
  'rejected',
  'failed',
  'rolled_back',
  'expired',
  'unknown',
] as const

const fields = {
  id: z.uuid(),
  name: z.string().meta({ examples: ['2026-11-16-notes'] }),
  database: z.string().meta({ examples: ['application'] }),
  state: z.enum(migrationStates).meta({
    description:
      '`waiting` for approval, `approved` and not run yet, `expired` before anybody decided or ran it; `unknown` where the server was killed while it ran and the database has not been asked yet.',
  }),
  is_elsewhere: z.boolean().meta({
    description: 'It is in the list of the database, and nobody asked for it here: its text is not known.',
  }),
  operations,
  agent_id: z.string().nullable(),
  reason: z.string(),
  requested_by: z.string().meta({ description: 'The person or the API key.', examples: ['key ci'] }),
  asked_by: askedBy,
  approval_id: z.uuid().nullable(),
  decided_by: z.string().nullable().meta({ description: 'Who approved or rejected it.' }),
  audit_id: z.uuid().nullable().meta({ description: 'The last attempt to apply it, in the audit log.' }),
  error: z.string().nullable(),
  duration_ms: z.number().nullable(),
  asked_at: time,
  applied_at: time.nullable(),
  rolled_back_at: time.nullable(),
  rolled_back_by: z.string().nullable(),
}

const example = {
  id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  name: '2026-11-16-notes',
  database: 'application',
  state: 'applied',
  is_elsewhere: false,
  operations: ['CREATE TABLE'],
  agent_id: 'data-engineer',
  reason: 'Notes of support cases',
  requested_by: 'key ci',
  asked_by: {
    user: { id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a', name: 'Ada', email: 'ada@example.com' },
    agent_id: 'data-engineer',
    agent_version: null,
    run_id: null,
    request: null,
  },
  approval_id: null,
  decided_by: null,
  audit_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0b',
  error: null,
  duration_ms: 6.2,
  asked_at: '2026-11-16T09:30:00.000Z',
  applied_at: '2026-11-16T09:30:00.000Z',
  rolled_back_at: null,
  rolled_back_by: null,
}

export const migration = z.object(fields).meta({ id: 'SqlMigration', examples: [example] })

const checkResults = z.array(z.object({ sql: z.string(), before: z.unknown(), after: z.unknown() }))

/** What it did when it ran. */
export const migrationOutcome = z.object({
  effect,
  rows_affected: z.int().nullable(),
  checks: checkResults,
  warnings: z.array(z.object({ rule: z.string(), message: z.string() })),
})

export const migrationDetail = z
  .object({
    ...fields,
    sha256: z.string().meta({ description: 'Of its statements, as in the list of the database.' }),
    statements: z.array(z.string()).meta({ description: 'Without secrets.' }),
    is_complete: z.boolean().meta({
      description: 'Whether `statements` is what ran. False where it has a secret, or was applied elsewhere.',
    }),
    checks: z.array(z.string()),
    preview: evidence.nullable().meta({ description: 'What the trial run found. Null where none was made.' }),
    result: migrationOutcome.nullable().meta({ description: 'What it did when it ran.' }),
    copy: copyTrial.nullable().meta({ description: 'The last trial on a copy of the schema.' }),
    rollback: z
      .object({ statements: z.array(z.string()), is_derived: z.boolean() })
      .nullable()
      .meta({
        description:
          'The way back. `is_derived`: it was not given; what the migration created is dropped, where it is still empty.',
      }),
    rollback_reason: z.string().nullable().meta({ description: 'Why it cannot be rolled back.' }),
    rollback_approval_id: z.uuid().nullable().meta({ description: 'The last approval for rolling it back.' }),
    rollback_audit_id: z.uuid().nullable().meta({ description: 'The attempt that rolled it back.' }),
  })
  .meta({
    id: 'SqlMigrationDetail',
    examples: [
      {
        ...example,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        statements: ['CREATE TABLE notes (id bigint PRIMARY KEY)'],
        is_complete: true,
        checks: [],
        preview: null,
        result: {
          effect: { tables: [], created: ['public.notes', 'public.notes_pkey'], dropped: [], altered: [] },
          rows_affected: null,
          checks: [],
          warnings: [],
        },
        copy: null,
        rollback: { statements: ['DROP TABLE notes'], is_derived: false },
        rollback_reason: null,
        rollback_approval_id: null,
        rollback_audit_id: null,
      },
    ],
  })

export const rollbackBody = z
  .strictObject({
    reason,
    approval_id: z.uuid().optional().meta({ description: 'The approval that was given for this rollback.' }),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: 'Runs it in a transaction that is rolled back.' }),
  })
  .meta({ examples: [{ reason: 'The column has the wrong type' }] })

export const rolledBack = z
  .object({
    status: z.literal('executed'),
    name: z.string(),
    operations,
    rows_affected: z.int().nullable(),
    duration_ms: z.number(),
    audit_id: z.uuid(),
  })
  .meta({
    id: 'SqlRolledBack',
    examples: [
      {
        status: 'executed',
        name: '2026-11-16-notes',
        operations: ['DROP TABLE'],
        rows_affected: null,
        duration_ms: 3.4,
        audit_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0c',
      },
    ],
  })

export type Migration = z.infer<typeof migration>
export type MigrationState = (typeof migrationStates)[number]
export type MigrationDetail = z.infer<typeof migrationDetail>
export type MigrationOutcome = z.infer<typeof migrationOutcome>
export type RollbackBody = z.infer<typeof rollbackBody>
export type RolledBack = z.infer<typeof rolledBack>
