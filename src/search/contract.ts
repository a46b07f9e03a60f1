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
        '1 for what is called exactly like the query, then all words in the title (0.85), half of them in the title (0.7), all words in the text (0.6), and meaning.',
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

export const searchByKindBody = z
  .object({
    query: text('must be a string that is not blank'),
    limit: z
      .int('must be a whole number from 0 to 20')
      .min(0, 'must be a whole number from 0 to 20')
      .max(20, 'must be a whole number from 0 to 20')
      .default(5)
      .describe('How many documents of each kind to return at most.'),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ query: 'zero downtime deploy', limit: 5 }] })

export const searchByKindResponse = z.object({
  kinds: z.array(
    z.object({
      kind,
      title,
      count: z
        .int()
        .meta({ description: `What a search of this kind alone finds, up to ${maxResults}.`, examples: [3] }),
      is_more: z.boolean().meta({ description: 'There are more than counted.' }),
      results: z.array(searchResult),
    }),
  ),
  semantic,
})

export const savedSearchInput = z
  .object({
    name: text('must be a string that is not blank').max(100, 'must have at most 100 characters'),
    query: text('must be a string that is not blank').max(2_000, 'must have at most 2000 characters'),
    kinds: kinds
      .max(100, 'must have at most 100 kinds')
      .optional()
      .describe('Only these kinds. Defaults to all.'),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ name: 'Open deploy tickets', query: 'deploy', kinds: ['ticket'] }] })

export const savedSearch = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Open deploy tickets'] }),
    query: z.string().meta({ examples: ['deploy'] }),
    kinds: z.array(kind).meta({ description: 'Empty: all.' }),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'SavedSearch' })

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
export type SearchByKindResponse = z.infer<typeof searchByKindResponse>
export type SavedSearch = z.infer<typeof savedSearch>
export type ContextResponse = z.infer<typeof contextResponse>
export type RankResponse = z.infer<typeof rankResponse>
export type SearchState = z.infer<typeof searchState>
