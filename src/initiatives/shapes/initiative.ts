import { z } from 'zod'
import { groupId, paging } from '#kernel/paging'
import { fields } from '#records/contract'
import { artifact } from './artifact.ts'
import { criterion, criterionBody } from './criterion.ts'
import { decision } from './decision.ts'
import { finding, findingBody } from './finding.ts'
import { link } from './link.ts'
import { question, questionBody } from './question.ts'

export const initiativeStatuses = ['active', 'paused', 'done'] as const
const status = z.enum(initiativeStatuses)
/** Also of what is added later. Enough for people, and a bound for the pages and for what an agent reads. */
export const [maxCriteria, maxFindings, maxQuestions] = [50, 500, 500]
const owner = fields.line(200).nullable()

export const initiativeBody = z
  .strictObject({
    title: fields.line(300),
    slug: fields.slug.optional().meta({ description: 'Defaults to the words of the title.' }),
    description: fields.markdown.default(''),
    status: status.default('active'),
    owner: owner.optional(),
    criteria: z.array(criterionBody).max(maxCriteria).default([]),
    findings: z.array(findingBody).max(maxFindings).default([]),
    open_questions: z.array(questionBody).max(maxQuestions).default([]),
    ...groupId,
  })
  .meta({
    examples: [
      {
        title: 'Checkout in one step',
        description: 'Fewer abandoned carts.',
        criteria: [{ text: 'p95 of the checkout is below 300 ms', confidence: 40 }],
      },
    ],
  })

export const initiativeChange = z
  .strictObject({
    title: fields.line(300),
    slug: fields.slug,
    description: fields.markdown,
    status,
    owner,
  })
  .partial()
  .meta({ examples: [{ status: 'paused' }] })

const summaryFields = {
  id: z.uuid(),
  group_id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  status,
  owner: z.string().nullable(),
  created_at: fields.time,
  updated_at: fields.time,
}

const example = {
  id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  group_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0a',
  slug: 'checkout-in-one-step',
  title: 'Checkout in one step',
  description: 'Fewer abandoned carts.',
  status: 'active' as const,
  owner: 'ada',
  created_at: '2026-11-16T09:30:00.000Z',
  updated_at: '2026-11-16T09:30:00.000Z',
}

export const initiativeSummary = z
  .object({
    ...summaryFields,
    criteria_count: z.int(),
    confidence: z
      .int()
      .nullable()
      .meta({ description: 'The lowest confidence of its criteria; null where none has one.' }),
    confidences: z
      .array(z.int().nullable())
      .meta({ description: 'The confidence of each criterion, in their order.' }),
    open_questions: z.int(),
    open_tickets: z.int(),
    last_standup_at: fields.time.nullable(),
  })
  .meta({
    id: 'InitiativeSummary',
    examples: [
      {
        ...example,
        criteria_count: 2,
        confidence: 60,
        confidences: [60, null],
        open_questions: 1,
        open_tickets: 3,
        last_standup_at: null,
      },
    ],
  })

export const initiative = z
  .object({
    ...summaryFields,
    criteria: z.array(criterion),
    findings: z.array(finding),
    open_questions: z.array(question),
    artifacts: z.array(artifact),
    decisions: z.array(decision),
    links: z.array(link),
  })
  .meta({
    id: 'Initiative',
    examples: [
      { ...example, criteria: [], findings: [], open_questions: [], artifacts: [], decisions: [], links: [] },
    ],
  })

export const initiativeQuery = z.object({
  status: fields.oneOrMore(initiativeStatuses, 'Only initiatives with this status.'),
  ...paging(500),
})

export type Initiative = z.infer<typeof initiative>
export type InitiativeSummary = z.infer<typeof initiativeSummary>
export type InitiativeInput = z.infer<typeof initiativeBody>
export type InitiativeChange = z.infer<typeof initiativeChange>
export type InitiativeQuery = z.infer<typeof initiativeQuery>
