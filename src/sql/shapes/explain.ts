import { z } from 'zod'
import { callFields, databaseName, operations, sqlText } from './fields.ts'

export const explainBody = z
  .strictObject({
    database: databaseName,
    sql: sqlText,
    agent_id: callFields.agent_id,
    group_id: callFields.group_id,
  })
  .meta({ examples: [{ database: 'application', sql: 'DROP TABLE orders' }] })

export const policyExplanation = z
  .object({
    decision: z.enum(['execute', 'approve', 'refuse']),
    operations,
    functions: z.array(z.string()).meta({ description: 'Functions that the text calls.', examples: [[]] }),
    rule: z.string().meta({ description: 'The rule that decided.', examples: ['requires_approval'] }),
    position: z
      .int()
      .nullable()
      .meta({ description: 'Where in the text: a character index, from 0.', examples: [0] }),
    needed: z.string().meta({
      description: 'What would have to change for the statement to run at once.',
      examples: ['Approval by an admin or owner.'],
    }),
    message: z.string().meta({ examples: ['DROP TABLE requires approval.'] }),
    agent_id: z.string().meta({ examples: ['data-engineer'] }),
    policy_version: z.int().meta({ examples: [1] }),
    masked: z.array(z.string()).meta({
      description: 'Masked columns that take part: their values are not returned.',
      examples: [['users.email']],
    }),
    grant_id: z
      .uuid()
      .nullable()
      .meta({ description: 'A grant that takes part.', examples: [null] }),
    environment: z.string().meta({ examples: ['dev'] }),
  })
  .meta({ id: 'SqlPolicyExplanation' })

export type ExplainBody = z.infer<typeof explainBody>
export type PolicyExplanation = z.infer<typeof policyExplanation>
