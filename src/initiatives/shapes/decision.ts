import { z } from 'zod'
import { fields } from '#records/contract'
import { evidence } from './criterion.ts'

const text = fields.anyText(20_000)

/** What a decision record says. */
export const decisionContent = {
  title: fields.line(300),
  context: text.default(''),
  options: z.array(fields.line(4_000)).max(20).default([]),
  decision: fields.line(20_000),
  rationale: text.default(''),
  consequences: text.default(''),
}

export const decisionBody = z
  .strictObject({
    ...decisionContent,
    evidence: evidence.default([]),
    decided_by: fields.line(200).optional().meta({ description: 'Defaults to the caller.' }),
    decided_at: fields.timeInput.optional().meta({ description: 'Defaults to now.' }),
    supersedes: z.uuid().optional().meta({ description: 'The decision that this one replaces.' }),
  })
  .meta({
    examples: [
      {
        title: 'Keep guest checkout',
        decision: 'Guests may buy without an account.',
        rationale: 'A third do.',
      },
    ],
  })

/** A decision is not changed: it is deprecated, or a new one supersedes it. */
export const decisionChange = z
  .strictObject({ status: z.enum(['accepted', 'deprecated']) })
  .meta({ examples: [{ status: 'deprecated' }] })

export const decision = z
  .object({
    id: z.uuid(),
    title: z.string(),
    context: z.string(),
    options: z.array(z.string()),
    decision: z.string(),
    rationale: z.string(),
    consequences: z.string(),
    evidence: z.array(z.unknown()),
    decided_by: z.string(),
    decided_at: fields.time,
    status: z.enum(['accepted', 'deprecated', 'superseded']),
    supersedes: z.uuid().nullable(),
    superseded_by: z.uuid().nullable(),
    standup_id: z.uuid().nullable(),
  })
  .meta({
    id: 'Decision',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        title: 'Keep guest checkout',
        context: '',
        options: ['Keep it', 'Remove it'],
        decision: 'Guests may buy without an account.',
        rationale: 'A third do.',
        consequences: '',
        evidence: [],
        decided_by: 'ada',
        decided_at: '2026-11-16T09:30:00.000Z',
        status: 'accepted',
        supersedes: null,
        superseded_by: null,
        standup_id: null,
      },
    ],
  })

export type Decision = z.infer<typeof decision>
export type DecisionInput = z.infer<typeof decisionBody>
