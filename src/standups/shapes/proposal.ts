import { z } from 'zod'
import { fields } from '#records/contract'

export const proposalStatuses = ['pending', 'accepted', 'rejected'] as const

/** What a statement rests on; only what the agent has read may be cited. */
const evidence = z.array(z.object({ title: z.string(), url: z.string(), quote: z.string().optional() }))

const shared = {
  id: z.uuid(),
  status: z.enum(proposalStatuses),
  edited: z.boolean().meta({ description: 'Whether a person changed what the agent had proposed.' }),
  settled_by: z.string().nullable().meta({ description: 'Who accepted or rejected it.' }),
  settled_at: fields.time.nullable(),
  reason: z.string().nullable().meta({ description: 'Why it was rejected.' }),
  created_at: fields.time,
}

export const decisionProposal = z.object({
  ...shared,
  kind: z.literal('decision'),
  title: z.string(),
  context: z.string(),
  options: z.array(z.string()),
  decision: z.string(),
  rationale: z.string(),
  consequences: z.string(),
  evidence,
  supersedes: z
    .object({ id: z.uuid(), title: z.string() })
    .nullable()
    .meta({ description: 'The decision of the initiative that this one replaces.' }),
})

export const confidenceProposal = z.object({
  ...shared,
  kind: z.literal('confidence'),
  criterion_id: z.uuid(),
  criterion: z.string().meta({ description: 'The text of the criterion.' }),
  before: z.int().nullable(),
  confidence: z.int().meta({ description: 'From 0 to 100; what the person chose, once it is edited.' }),
  proposed: z.int().meta({ description: 'What the agent proposed.' }),
  rationale: z.string().meta({ description: 'Why it changes.' }),
  evidence,
})

export const proposal = z.discriminatedUnion('kind', [decisionProposal, confidenceProposal]).meta({
  id: 'StandupProposal',
  examples: [
    {
      id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
      kind: 'confidence',
      status: 'pending',
      edited: false,
      settled_by: null,
      settled_at: null,
      reason: null,
      created_at: '2026-11-16T09:30:00.000Z',
      criterion_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e01',
      criterion: 'p95 of the checkout is below 300 ms',
      before: 50,
      confidence: 70,
      proposed: 70,
      rationale: 'The load test passed with room to spare',
      evidence: [],
    },
  ],
})

export type Proposal = z.infer<typeof proposal>
export type DecisionProposal = z.infer<typeof decisionProposal>
export type ConfidenceProposal = z.infer<typeof confidenceProposal>
