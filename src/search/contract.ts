import { z } from 'zod'

/** Shapes of the search routes. Browser-safe. */

export const maxResults = 100

const text = (what: string) =>
  z
    .string(what)
    .refine((given) => given.trim() !== '', what)
    .meta({ minLength: 1, pattern: String.raw`\S` })
const limit = (usual: number, what: string) =>
  z
    .int(`must be a whole number from 1 to ${maxResults}`)
    .min(1, `must be a whole number from 1 to ${maxResults}`)
    .max(maxResults, `must be a whole number from 1 to ${maxResults}`)
    .default(usual)
    .describe(what)
const kinds = z
  .array(z.string('must be a string'), 'must be an array of strings')
  .min(1, 'must have at least one kind')

export const searchBody = z
  .object({
    query: text('must be a string that is not blank'),
    kinds: kinds.optional().describe('Only these kinds, in the singular or the plural. Defaults to all.'),
    limit: limit(20, 'How many documents to return at most.'),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ query: 'zero downtime deploy', limit: 10 }] })

const kind = z.string().meta({ examples: ['model'] })
const title = z.string().meta({ examples: ['Zero downtime deploys'] })
const score = z.number().meta({ examples: [0.92] })
const semantic = z
  .boolean()
  .meta({ description: 'False: the embedding model was unavailable, so only words were searched.' })

export const searchResult = z
  .object({
    kind,
    id: z.string().meta({ examples: ['deploys'] }),
    title,
    excerpt: z.string().meta({ examples: ['How we deploy without downtime'] }),
    score: score.meta({
      description:
        'From the similarity and the share of the words that match; 1 for what is called exactly like the query.',
      examples: [0.92],
    }),
    url: z
      .string()
      .meta({ description: 'The page that shows it.', examples: ['/playground?model=my-model'] }),
    at: z.string().meta({ format: 'date-time' }),
    similarity: score.nullable().meta({
      description: 'The cosine of query and text; null where only the words matched.',
    }),
    matched: z.array(z.enum(['meaning', 'words'])),
    highlights: z.array(z.tuple([z.int(), z.int()])).meta({
      description: "Where the query's words are in the excerpt: start and end, in UTF-16 units.",
      examples: [[[22, 30]]],
    }),
  })
  .meta({ id: 'SearchResult' })

export const searchResponse = z.object({ results: z.array(searchResult), semantic })

export const contextBody = z
  .object({
    text: text('must be a string that is not blank'),
    kinds: kinds.optional().describe('Only these kinds, in the singular or the plural. Defaults to all.'),
    limit: limit(5, 'How many documents of each kind to return at most.'),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ text: 'We deploy without downtime by draining connections first.' }] })

export const contextResponse = z.object({
  groups: z.array(z.object({ kind, title, results: z.array(searchResult) })),
  semantic,
})

const rankInput = z.object({
  query: text('must be a string that is not blank'),
  texts: z
    .array(z.string('must be a string'), 'must be an array of strings')
    .min(1, 'must have at least one text')
    .max(2_048, 'must have at most 2048 texts'),
  group_id: z.uuid().optional(),
})

export const rankBody = rankInput.meta({
  examples: [{ query: 'zero downtime deploy', texts: ['Roll back a release', 'Drain connections first'] }],
})

const modelName = z.string().meta({ examples: ['nomic-embed-text'] })

export const rankResponse = z.object({
  results: z.array(
    z.object({
      index: z.int().meta({ description: 'The place of the text in the request.', examples: [1] }),
      score,
      text: z.string().meta({ examples: ['Drain connections first'] }),
    }),
  ),
  model: modelName,
})

const count = z.int().meta({ examples: [42] })

export const searchState = z.object({
  model: modelName,
  fingerprint: z.string().meta({ description: 'Changes when vectors do.', examples: ['5f2c9a1e'] }),
  engine: z.enum(['bits', 'pgvector']).meta({ description: 'What finds the nearest vectors.' }),
  documents: count,
  chunks: count,
  waiting: count.meta({ description: 'Chunks that have no vector yet.' }),
  progress: z.number().meta({ description: 'Percent of the chunks that have a vector.', examples: [100] }),
  kinds: z.array(z.object({ kind, title, documents: count, chunks: count, waiting: count })),
})

export type SearchResponse = z.infer<typeof searchResponse>
export type SearchResult = z.infer<typeof searchResult>
export type ContextResponse = z.infer<typeof contextResponse>
export type RankResponse = z.infer<typeof rankResponse>
export type SearchState = z.infer<typeof searchState>
