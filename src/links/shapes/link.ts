import { z } from 'zod'
import { exampleRequest, exampleSha, isPlain, thing, thingRef } from './thing.ts'

/** Links and the chains that they make. Browser-safe. */

export const hows = ['exact', 'inferred', 'person'] as const
export type How = (typeof hows)[number]

export const maxEvidence = 1_000

const commit = { type: 'commit', id: exampleSha, title: 'Round totals to the cent', url: null } as const
const request = {
  type: 'pull_request',
  id: exampleRequest,
  title: 'Round totals to the cent',
  url: exampleRequest,
} as const

const exampleLink = {
  id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
  from: commit,
  to: request,
  relation: 'part_of',
  how: 'exact',
  evidence: 'The pull request was merged as 9fceb02.',
  confidence: 1,
  created_at: '2026-11-16T09:30:00.000Z',
}

export const link = z
  .object({
    id: z.uuid(),
    from: thing.meta({ description: 'What happened.' }),
    to: thing.meta({ description: 'What it came from, or belongs to.' }),
    relation: z.string().meta({ examples: ['part_of'] }),
    how: z.enum(hows).meta({
      description:
        'How it was found. `exact`: by an ID that one of them names. `inferred`: by a branch, a folder or a time. `person`: somebody said so.',
      examples: ['exact'],
    }),
    evidence: z
      .string()
      .meta({ description: 'Why, in words.', examples: ['The pull request was merged as 9fceb02.'] }),
    confidence: z.number().meta({ description: 'How sure, from 0 to 1.', examples: [1] }),
    created_at: z.string().meta({ format: 'date-time', examples: ['2026-11-16T09:30:00.000Z'] }),
  })
  .meta({
    id: 'Link',
    examples: [exampleLink],
  })

export const linkBody = z
  .strictObject({
    from: thingRef.meta({ description: 'What happened.' }),
    to: thingRef.meta({ description: 'What it came from, or belongs to.' }),
    relation: z
      .string()
      .regex(/^[a-z][a-z_]{0,39}$/, 'must have 1 to 40 small letters or _')
      .default('comes_from'),
    evidence: z
      .string()
      .max(maxEvidence)
      .refine(isPlain, 'must be plain text')
      .default('')
      .meta({ description: 'Why, for others to read.' }),
    group_id: z.uuid().optional(),
  })
  .meta({
    examples: [
      {
        from: { type: 'commit', id: exampleSha },
        to: { type: 'pull_request', id: exampleRequest },
        evidence: 'Cherry-picked from it',
      },
    ],
  })

const criterion = z.object({
  text: z.string(),
  confidence: z.int().nullable().meta({ description: 'On the day of the decision, from 0 to 100.' }),
})

export const step = z
  .object({
    thing: thing.extend({
      at: z.string().nullable().meta({ format: 'date-time', description: 'When it happened.' }),
      data: z
        .object({
          prompt: z
            .string()
            .optional()
            .meta({ description: 'Of a session or a run: what it was asked first.' }),
          decision: z.string().optional(),
          rationale: z.string().optional(),
          criteria: z.array(criterion).optional(),
        })
        .meta({ description: 'What the thing says about why.', examples: [{}] }),
    }),
    link: link.nullable().meta({ description: 'How it was reached; null for the first.' }),
    depth: z.int().meta({ description: 'How many links away from the first.', examples: [1] }),
  })
  .meta({ id: 'WhyStep' })

export const chain = z.object({ chain: z.array(step) }).meta({
  examples: [
    {
      chain: [
        { thing: { ...commit, at: null, data: {} }, link: null, depth: 0 },
        {
          thing: { ...request, at: '2026-11-16T09:30:00.000Z', data: {} },
          link: exampleLink,
          depth: 1,
        },
      ],
    },
  ],
})

export type Link = z.infer<typeof link>
export type LinkBody = z.infer<typeof linkBody>
export type Step = z.infer<typeof step>
