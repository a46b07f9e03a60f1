import { z } from 'zod'

/** Shapes of the gateway's own routes. Browser-safe. */

export const model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  name: z.string().nullable(),
  context_length: z.int().nullable(),
  max_output_tokens: z.int().nullable(),
  input_price_per_1m: z.string().nullable(),
  output_price_per_1m: z.string().nullable(),
  capabilities: z.array(z.string()),
})

export const modelList = z.object({ object: z.literal('list'), data: z.array(model) })

export const syncResult = z.object({
  synced: z.int(),
  added: z.int(),
  updated: z.int(),
  removed: z.int(),
  duration_ms: z.int(),
})

const prefix = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._:/-]{1,63}$/i, 'A prefix has 2 to 64 letters, digits or . _ : / -')

export const customProviderBody = z.object({
  id: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{1,39}$/,
      'An id has 2 to 40 small letters, digits or hyphens and begins with a letter',
    ),
  name: z.string().trim().min(1).max(100),
  base_url: z.url({ protocol: /^https?$/ }).max(500),
  prefixes: z.array(prefix).min(1).max(20),
  docs_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .or(z.literal(''))
    .optional(),
  allow_private: z.boolean().optional(),
  group_id: z.uuid().optional(),
})

/** What is not given stays. */
export const customProviderChange = customProviderBody
  .omit({ id: true, group_id: true })
  .extend({
    docs_url: customProviderBody.shape.docs_url.unwrap(),
    allow_private: z.boolean(),
    is_active: z.boolean(),
  })
  .partial()

export const customProvider = z.object({
  id: z.string(),
  name: z.string(),
  base_url: z.string(),
  docs_url: z.string(),
  prefixes: z.array(z.string()),
  allow_private: z.boolean(),
  is_active: z.boolean(),
})

export type Model = z.infer<typeof model>
export type SyncResult = z.infer<typeof syncResult>
export type CustomProvider = z.infer<typeof customProvider>
