import { z } from 'zod'

export const researchResult = z.object({
  title: z.string(),
  excerpt: z.string(),
  source: z.string().meta({
    description: 'The kind of what was found, such as `ticket` or `devlog`; `web` for a page of the web.',
    examples: ['devlog'],
  }),
  url: z.string().meta({
    description: 'A page of the dashboard, which begins with `/`, or an address with http or https.',
    examples: ['/devlogs?id=0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'],
  }),
  score: z.number().meta({ description: 'From 0 to 1.', examples: [0.92] }),
})

export const research = z.object({ query: z.string(), results: z.array(researchResult) }).meta({
  id: 'StandupResearch',
  examples: [
    {
      query: 'guest checkout',
      results: [
        {
          title: 'Guests buy less',
          excerpt: 'A third of the carts are abandoned at the address',
          source: 'devlog',
          url: '/devlogs?id=0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f',
          score: 0.92,
        },
      ],
    },
  ],
})

export type ResearchResult = z.infer<typeof researchResult>
export type Research = z.infer<typeof research>
