import { z } from 'zod'

const dollars = z
  .string()
  .nullable()
  .meta({ description: 'US dollars, exact. Null when no request has a known price.', examples: ['1.204'] })
const counts = {
  requests: z.int(),
  unpriced_requests: z.int().meta({ description: 'Requests without a known price: not part of the cost.' }),
  cost: dollars,
}

export const initiativeCost = z
  .object({
    exact: z.object(counts).meta({ description: 'Every request once.' }),
    by_model: z.array(z.object({ model: z.string(), ...counts })).meta({ description: 'The dearest first.' }),
    sources: z
      .array(
        z.object({ kind: z.enum(['transcript', 'standup']), id: z.uuid(), title: z.string(), ...counts }),
      )
      .meta({
        description:
          'Where it came from, the dearest first. A transcript includes its subagents, so the sum may exceed the exact cost when both are linked.',
      }),
    unattributed: z.object({
      transcripts_without_requests: z
        .int()
        .meta({ description: 'Linked transcripts of which no request went through the gateway.' }),
      missing_transcripts: z.int().meta({ description: 'Linked transcripts that do not exist any more.' }),
      rule: z.string(),
    }),
  })
  .meta({
    id: 'InitiativeCost',
    examples: [
      {
        exact: { requests: 42, unpriced_requests: 0, cost: '1.204' },
        by_model: [{ model: 'my-model', requests: 42, unpriced_requests: 0, cost: '1.204' }],
        sources: [],
        unattributed: { transcripts_without_requests: 0, missing_transcripts: 0, rule: '' },
      },
    ],
  })

export type InitiativeCost = z.infer<typeof initiativeCost>
