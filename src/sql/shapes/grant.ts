import { z } from 'zod'
import { operationList } from '../policy/policy.ts'
import { columnPattern, tablePattern } from '../rules/patterns.ts'
import { databaseName, line, reason, time } from './fields.ts'

const agentId = line(63).meta({ description: 'The agent that gets more.', examples: ['data-engineer'] })
const tables = z.array(tablePattern).max(50)
const unmask = z.array(columnPattern).max(50)

export const grantBody = z
  .strictObject({
    agent_id: agentId,
    database: databaseName,
    operations: operationList.default([]).meta({
      description:
        'Run at once, although the policy does not have them or asks for approval. Rules of `prod` stay.',
      examples: [['CREATE VIEW']],
    }),
    tables: tables.default([]).meta({
      description: 'May be reached, although the policy does not allow it.',
      examples: [['billing.invoices']],
    }),
    unmask: unmask
      .default([])
      .meta({ description: 'Columns that are not masked.', examples: [['users.email']] }),
    minutes: z
      .int()
      .min(1)
      .max(10_080)
      .meta({ description: 'How long, at most a week.', examples: [120] }),
    reason,
    group_id: z.uuid().optional(),
  })
  .meta({
    examples: [
      {
        agent_id: 'data-engineer',
        database: 'application',
        unmask: ['users.email'],
        minutes: 120,
        reason: 'Find customers with two accounts',
      },
    ],
  })

export const grant = z
  .object({
    id: z.uuid(),
    agent_id: agentId,
    database: databaseName,
    operations: z.array(z.string()).meta({ examples: [[]] }),
    tables: z.array(z.string()).meta({ examples: [[]] }),
    unmask: z.array(z.string()).meta({ examples: [['users.email']] }),
    reason,
    status: z.enum(['active', 'ended', 'revoked']),
    given_by: z.string().meta({ examples: ['ada@example.com'] }),
    created_at: time,
    expires_at: time,
    revoked_at: time.nullable().meta({ examples: [null] }),
    revoked_by: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'SqlGrant' })

export type GrantBody = z.infer<typeof grantBody>
export type Grant = z.infer<typeof grant>
