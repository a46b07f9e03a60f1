import { z } from 'zod'

/** Shapes of the embeddings routes. Browser-safe. */
export const tasks = ['search_document', 'search_query', 'classification', 'clustering'] as const
export const task = z.enum(tasks)
export type Task = z.infer<typeof task>

export const maxTexts = 2_048
export const maxTextBytes = 1_048_576

const taskOrDefault = z
  .enum(tasks, `give one of ${tasks.join(', ')}`)
  .default('search_document')
  .describe('what the vector is for')

export const embedBody = z.object({
  text: z.string('give a text'),
  task: taskOrDefault,
})

export const embedResponse = z.object({
  embedding: z.array(z.number()),
  model: z.string(),
  dimensions: z.int(),
})

export const batchBody = z.object({
  texts: z
    .array(z.string('give a text'), 'give a list of texts')
    .min(1, 'give at least one text')
    .max(maxTexts, `give at most ${maxTexts} texts`),
  task: taskOrDefault,
})

export const batchResponse = z.object({
  embeddings: z.array(z.array(z.number())),
  model: z.string(),
  dimensions: z.int(),
  count: z.int(),
})

export const modelsResponse = z.object({
  current_model: z.string(),
  embedding_models: z.array(z.string()),
  all_models: z.array(z.string()),
})

export const health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  service: z.literal('signalbox-embeddings'),
  version: z.string(),
  runtime: z.enum(['connected', 'disconnected', 'builtin']),
  runtime_url: z.string(),
  model: z.string(),
})

export type Health = z.infer<typeof health>

export const statusResponse = z.object({
  model: z.string(),
  driver: z.string(),
  dimensions: z.int(),
  fingerprint: z.string(),
  queue: z.object({ interactive: z.int(), background: z.int(), running: z.int(), most: z.int() }),
  cache: z.object({ vectors: z.int(), bytes: z.int(), most_bytes: z.int(), hits: z.int(), misses: z.int() }),
})

export const openaiBody = z.object({
  // Checked by hand: a list of token numbers deserves a better answer than "expected string".
  input: z.union([z.string(), z.array(z.unknown())], 'give a text or a list of texts'),
  model: z.string().optional(),
  encoding_format: z.enum(['float', 'base64'], 'give float or base64').default('float'),
  dimensions: z.int().optional(),
  user: z.string().optional(),
})

export const openaiResponse = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
})

export type EmbedResponse = z.infer<typeof embedResponse>
export type BatchResponse = z.infer<typeof batchResponse>
export type ModelsResponse = z.infer<typeof modelsResponse>
export type StatusResponse = z.infer<typeof statusResponse>
