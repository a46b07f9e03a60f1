import { z } from 'zod'

/** Shapes of the search routes. Browser-safe. */

export const maxResults = 100

const text = (what: string) => z.string(what).refine((given) => given.trim() !== '', what)
const limit = (usual: number, what: string) =>
  z
    .int(`give a whole number from 1 to ${maxResults}`)
    .min(1, `give a whole number from 1 to ${maxResults}`)
    .max(maxResults, `give a whole number from 1 to ${maxResults}`)
    .default(usual)
    .describe(what)
const kinds = z
  .array(z.string('give a list of kinds'), 'give a list of kinds')
  .min(1, 'give at least one kind')

export const searchBody = z.object({
  query: text('give something to look for'),
  kinds: kinds.optional().describe('only these kinds; without it all'),
  limit: limit(20, 'documents to give at most'),
  group_id: z.uuid().optional(),
})

export const searchResult = z.object({
  kind: z.string(),
  id: z.string(),
  title: z.string(),
  excerpt: z.string(),
  /** From both lists by their ranks; 1 for what is first in each. */
  score: z.number(),
  url: z.string(),
  at: z.string(),
  /** Cosine of query and chunk; null where only the words matched. */
  similarity: z.number().nullable(),
  matched: z.array(z.enum(['meaning', 'words'])),
  /** Places of the query's words in the excerpt, from and up to, in UTF-16 units. */
  highlights: z.array(z.tuple([z.int(), z.int()])),
})

export const searchResponse = z.object({
  results: z.array(searchResult),
  /** False: the model could not be asked, so only words were looked for. */
  semantic: z.boolean(),
})

export const contextBody = z.object({
  text: text('give a text'),
  kinds: kinds.optional().describe('only these kinds; without it all'),
  limit: limit(5, 'documents to give of each kind at most'),
  group_id: z.uuid().optional(),
})

export const contextResponse = z.object({
  groups: z.array(z.object({ kind: z.string(), title: z.string(), results: z.array(searchResult) })),
  semantic: z.boolean(),
})

export const rankBody = z.object({
  query: text('give something to compare with'),
  texts: z
    .array(z.string('give a text'), 'give a list of texts')
    .min(1, 'give at least one text')
    .max(2_048, 'give at most 2048 texts'),
  group_id: z.uuid().optional(),
})

export const rankResponse = z.object({
  results: z.array(z.object({ index: z.int(), score: z.number(), text: z.string() })),
  model: z.string(),
})

export const searchState = z.object({
  model: z.string(),
  fingerprint: z.string(),
  /** What finds the nearest vectors. */
  engine: z.enum(['bits', 'pgvector']),
  documents: z.int(),
  chunks: z.int(),
  waiting: z.int(),
  /** Percent of the chunks that the model has come to. */
  progress: z.number(),
  kinds: z.array(
    z.object({
      kind: z.string(),
      title: z.string(),
      documents: z.int(),
      chunks: z.int(),
      waiting: z.int(),
    }),
  ),
})

export type SearchResponse = z.infer<typeof searchResponse>
export type SearchResult = z.infer<typeof searchResult>
export type ContextResponse = z.infer<typeof contextResponse>
export type RankResponse = z.infer<typeof rankResponse>
export type SearchState = z.infer<typeof searchState>
