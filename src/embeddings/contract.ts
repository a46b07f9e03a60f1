import { z } from 'zod'

/** Shapes of the embeddings routes. Browser-safe. */
export const tasks = ['search_document', 'search_query', 'classification', 'clustering'] as const
export const task = z.enum(tasks)
export type Task = z.infer<typeof task>

export const maxTexts = 2_048
export const maxTextBytes = 1_048_576

const taskOrDefault = z
  .enum(tasks, `must be one of ${tasks.join(', ')}`)
  .default('search_document')
  .describe('What the vector is for.')

const modelName = z.string().meta({ examples: ['nomic-embed-text'] })
const dimensions = z.int().meta({ examples: [768] })
const vector = z.array(z.number()).meta({ examples: [[0.0127, -0.0345, 0.0291]] })
const count = z.int().meta({ examples: [2] })
/** A text is refused when it is blank, by a check that names its place. */
const text = z.string('must be a string').meta({ minLength: 1, pattern: String.raw`\S` })

export const embedBody = z
  .object({ text, task: taskOrDefault, group_id: z.uuid().optional() })
  .meta({ examples: [{ text: 'Deploy with zero downtime', task: 'search_document' }] })

export const embedResponse = z.object({ embedding: vector, model: modelName, dimensions })

export const batchBody = z
  .object({
    texts: z
      .array(text, 'must be an array of strings')
      .min(1, 'must have at least one text')
      .max(maxTexts, `must have at most ${maxTexts} texts`),
    task: taskOrDefault,
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ texts: ['Deploy with zero downtime', 'Roll back a release'] }] })

export const batchResponse = z.object({
  embeddings: z.array(vector),
  model: modelName,
  dimensions,
  count,
})

export const modelsResponse = z.object({
  current_model: modelName,
  embedding_models: z.array(modelName),
  all_models: z.array(modelName),
})

export const health = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  service: z.literal('signalbox-embeddings'),
  version: z.string().meta({ examples: ['0.1.0'] }),
  runtime: z.enum(['connected', 'disconnected', 'builtin']),
  runtime_url: z.string().meta({ examples: ['http://127.0.0.1:11434'] }),
  model: modelName,
})

export type Health = z.infer<typeof health>

export const statusResponse = z.object({
  model: modelName,
  driver: z.string().meta({ examples: ['ollama'] }),
  dimensions,
  fingerprint: z.string().meta({ description: 'Changes when vectors do.', examples: ['5f2c9a1e'] }),
  queue: z.object({ interactive: count, background: count, running: count, most: count }),
  cache: z.object({ vectors: count, bytes: count, most_bytes: count, hits: count, misses: count }),
})

/** Checked by hand, so that a message names the text: strings, arrays of token numbers, or one such array. */
const anyTexts = z.array(z.unknown()).meta({
  items: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'integer' } },
    ],
  },
  minItems: 1,
  maxItems: maxTexts,
})

/** What else is sent is for the provider of the model. */
export const openaiBody = z
  .looseObject({
    input: z.union([text, anyTexts], 'must be a string or an array of strings').meta({
      description: 'Token numbers are those of the encoding `cl100k_base`.',
    }),
    model: z.string().max(300).optional().meta({
      description: 'The model in use, which is the default, or an embedding model of a provider.',
    }),
    encoding_format: z
      .string('must be a string')
      .optional()
      .meta({
        description: '`float` by default, or `base64`; some providers have others.',
        examples: ['float'],
      }),
    dimensions: z.int('must be an integer').optional(),
    user: z.string('must be a string').optional(),
  })
  .meta({ examples: [{ input: ['Deploy with zero downtime', 'Roll back a release'] }] })

/** Providers add fields of their own. */
export const openaiResponse = z.looseObject({
  object: z.literal('list'),
  data: z.array(
    z.looseObject({
      object: z.literal('embedding'),
      index: z.int().meta({ examples: [0] }),
      embedding: z.union([vector, z.string()]).meta({ description: 'A string for `base64`.' }),
    }),
  ),
  model: modelName,
  usage: z.looseObject({ prompt_tokens: count, total_tokens: count }),
})

export type EmbedResponse = z.infer<typeof embedResponse>
export type BatchResponse = z.infer<typeof batchResponse>
export type ModelsResponse = z.infer<typeof modelsResponse>
export type StatusResponse = z.infer<typeof statusResponse>
