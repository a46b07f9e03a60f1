import { z } from 'zod'
import { askedBy } from './asked-by.ts'
import { evidence } from './execute.ts'
import { databaseName, kinds, line, operations, reason, time } from './fields.ts'

export const approvalStatuses = ['pending', 'approved', 'rejected', 'used', 'expired'] as const

export const approval = z
  .object({
    id: z.uuid(),
    kind: z.enum(kinds),
    status: z.enum(approvalStatuses).meta({
      description:
        '`approved` waits for the call with this `approval_id`, or for a person to run it; `used` has run; `expired` cannot be decided any more, and `reason` says why.',
    }),
    database: databaseName,
    sql: z.string().meta({ examples: ['DELETE FROM orders WHERE customer_id = 7'] }),
    params: z
      .array(z.unknown())
      .nullable()
      .meta({ examples: [[]] }),
    is_runnable: z.boolean().meta({
      description:
        'A person can run it from here. False where the text has a secret, and where a run of an agent asked for it, which runs it.',
    }),
    operations,
    rule: z.string().meta({ examples: ['requires_approval'] }),
    reason: z.string().meta({
      description: 'Why it was asked for; of one that is `expired`, why it ended.',
      examples: ['Remove orders of deleted test customers'],
    }),
    asked_reason: reason.meta({ description: 'Why it was asked for.' }),
    asked_by: askedBy,
    preview: evidence,
    agent_id: z.string().meta({ examples: ['data-engineer'] }),
    policy_version: z.int().meta({ examples: [1] }),
    requested_by: z.string().meta({ examples: ['key ci'] }),
    decided_by: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    note: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    may_decide: z.boolean().meta({ description: 'Whether you may approve or reject it.' }),
    needs_other_person: z
      .boolean()
      .meta({ description: 'Four eyes: the person who asked for it cannot approve it.', examples: [false] }),
    audit_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The run that used it.', examples: [null] }),
    created_at: time,
    decided_at: time.nullable(),
    expires_at: time,
  })
  .meta({ id: 'SqlApproval' })

export const decisionBody = z
  .strictObject({
    note: line(1_000)
      .optional()
      .meta({ examples: ['Checked with the team'] }),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ note: 'Checked with the team' }] })

export type Approval = z.infer<typeof approval>
export type ApprovalStatus = (typeof approvalStatuses)[number]
