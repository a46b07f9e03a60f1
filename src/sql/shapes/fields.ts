import { z } from 'zod'

export const line = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .trim()
    .min(1)
    .meta({ pattern: String.raw`\S` })

export const time = z.string().meta({ format: 'date-time', examples: ['2026-11-16T09:30:00.000Z'] })

export const databaseName = line(63).meta({
  description: 'The name of a database of the group: `GET /api/v1/sql/databases` lists them.',
  examples: ['application'],
})

export const operations = z.array(z.string()).meta({
  description: 'Every operation found in the text, inner ones too.',
  examples: [['DELETE']],
})

export const reason = line(1_000).meta({
  description: 'The reason, for the audit log and for the person who approves it.',
  examples: ['Remove orders of deleted test customers'],
})

/** Fields of every call that runs SQL. */
export const callFields = {
  database: databaseName,
  reason,
  agent_id: line(63)
    .optional()
    .meta({ description: 'Whose policy applies. Defaults to `data-engineer`.', examples: ['data-engineer'] }),
  approval_id: z
    .uuid()
    .optional()
    .meta({ description: 'The approval that was given for exactly this call.' }),
  dry_run: z.boolean().default(false).meta({ description: 'Runs it in a transaction that is rolled back.' }),
  group_id: z.uuid().optional(),
}

/** Longer texts are refused by the classification, which says so in the audit log. */
export const sqlText = z.string().min(1).max(2_000_000)

export const kinds = ['execute', 'migrate', 'undo'] as const
/** A change of policy is in the log too, because it decides what the next statement may do. */
export const auditKinds = [...kinds, 'policy', 'database', 'grant'] as const
