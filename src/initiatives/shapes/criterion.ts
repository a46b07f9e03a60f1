import { z } from 'zod'
import { fields } from '#records/contract'

export const confidence = z
  .int()
  .min(0)
  .max(100)
  .meta({ description: 'How sure we are that it will be met, from 0 to 100.', examples: [70] })

/** What a statement rests on: something that the platform holds, or a page. */
export const evidenceItem = z
  .strictObject({ title: fields.line(300), url: fields.line(2_000), quote: fields.anyText(2_000).optional() })
  .meta({ examples: [{ title: 'Deployment checkout 1.4', url: '/deployments' }] })
export const evidence = z.array(evidenceItem).max(50)

const reason = fields.line(4_000).meta({
  description: 'Why it changed. Needed with every new confidence.',
  examples: ['The load test passed with room to spare'],
})

export const criterionBody = z
  .strictObject({ text: fields.line(1_000), confidence: confidence.optional(), reason: reason.optional() })
  .meta({ examples: [{ text: 'p95 of the checkout is below 300 ms' }] })

export const criterionChange = z
  .strictObject({ text: fields.line(1_000), confidence, reason, evidence })
  .partial()
  .meta({ examples: [{ confidence: 70, reason: 'The load test passed with room to spare' }] })

const confidenceChange = z.object({
  before: z.int().nullable(),
  confidence: z.int(),
  proposed: z.int().nullable().meta({ description: 'What the agent proposed, in a stand-up.' }),
  reason: z.string(),
  evidence: z.array(z.unknown()),
  standup_id: z.uuid().nullable(),
  changed_by: z.string().nullable(),
  created_at: fields.time,
})

export const criterion = z
  .object({
    id: z.uuid(),
    text: z.string(),
    confidence: z.int().nullable(),
    updated_at: fields.time,
    history: z.array(confidenceChange).meta({ description: 'Oldest first; the newest 100.' }),
  })
  .meta({
    id: 'Criterion',
    examples: [
      {
        id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
        text: 'p95 of the checkout is below 300 ms',
        confidence: 70,
        updated_at: '2026-11-16T09:30:00.000Z',
        history: [],
      },
    ],
  })

export type Criterion = z.infer<typeof criterion>
export type CriterionInput = z.infer<typeof criterionBody>
export type CriterionChange = z.infer<typeof criterionChange>
export type ConfidenceChange = z.infer<typeof confidenceChange>
export type EvidenceItem = z.infer<typeof evidenceItem>
