import { z } from 'zod'
import { askedBy } from './asked-by.ts'
import { auditKinds, operations, time } from './fields.ts'

export const auditStatuses = [
  'running',
  'executed',
  'failed',
  'refused',
  'paused',
  'approved',
  'rejected',
  'dry_run',
  'already_applied',
  'unknown',
  'policy_changed',
  'database_changed',
  'grant_changed',
] as const

export const auditRecord = z
  .object({
    id: z.uuid(),
    kind: z.enum(auditKinds).meta({
      description: '`policy`: the policy of the agent changed; `sql` is the new one as JSON.',
    }),
    database: z.string(),
    sql: z.string().meta({ description: 'Cut at 10,240 bytes, without secrets.' }),
    truncated: z.boolean(),
    executor: z.string().meta({ description: 'The person or the API key.' }),
    agent_id: z.string().nullable(),
    asked_by: askedBy,
    reason: z.string(),
    operations,
    status: z.enum(auditStatuses).meta({
      description:
        '`unknown`: the server was killed while it ran, so the database may or may not have the change.',
    }),
    rule: z.string().nullable(),
    error: z.string().nullable(),
    rows_affected: z.int().nullable(),
    duration_ms: z.number().nullable(),
    approval_id: z.uuid().nullable(),
    masked: z.array(z.string()).meta({ description: 'Masked columns that took part.' }),
    grant_id: z.uuid().nullable().meta({ description: 'A grant that took part.' }),
    created_at: time,
    seq: z.int().meta({ description: 'Its place in the chain of the group.' }),
    hash: z.string().meta({ description: 'SHA-256 of the hash before it and of this entry.' }),
  })
  .meta({
    id: 'SqlAuditRecord',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        kind: 'execute',
        database: 'application',
        sql: 'SELECT 1 AS one',
        truncated: false,
        executor: 'key ci',
        agent_id: 'data-engineer',
        asked_by: {
          user: { id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a', name: 'Ada', email: 'ada@example.com' },
          agent_id: 'data-engineer',
          agent_version: null,
          run_id: null,
          request: null,
        },
        reason: 'Try the connection',
        operations: ['SELECT'],
        status: 'executed',
        rule: 'allowed_operations',
        error: null,
        rows_affected: null,
        duration_ms: 0.8,
        approval_id: null,
        masked: [],
        grant_id: null,
        created_at: '2026-11-16T09:30:00.000Z',
        seq: 2,
        hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    ],
  })

export const auditChain = z
  .object({
    entries: z.int().meta({ examples: [42] }),
    head: z.string().meta({
      description: 'The hash of the last entry.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    problem: z
      .string()
      .nullable()
      .meta({
        description: 'The first thing that is wrong; null where the chain is whole.',
        examples: [null],
      }),
  })
  .meta({ id: 'SqlAuditChain' })

export type AuditRecord = z.infer<typeof auditRecord>
export type AuditStatus = (typeof auditStatuses)[number]
