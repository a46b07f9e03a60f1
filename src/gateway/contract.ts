import { z } from 'zod'

/** Shapes of the gateway's own routes. Browser-safe. */

export * from './route-contract.ts'
export { builtInNames, type BuiltInId } from './provider-names.ts'

const price = z
  .string()
  .nullable()
  .meta({ description: 'US dollars per million tokens.', examples: ['1.25'] })

export const model = z
  .object({
    id: z.string().meta({ examples: ['my-model'] }),
    object: z.literal('model'),
    created: z.int().meta({ description: 'Unix time in seconds.', examples: [1794821400] }),
    owned_by: z.string().meta({ description: 'The provider.', examples: ['my-provider'] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['My model'] }),
    context_length: z
      .int()
      .nullable()
      .meta({ examples: [400000] }),
    max_output_tokens: z
      .int()
      .nullable()
      .meta({ examples: [128000] }),
    input_price_per_1m: price,
    output_price_per_1m: price,
    audio_price_per_second: z
      .string()
      .nullable()
      .meta({
        description: 'US dollars per second of audio, for models that are billed by it.',
        examples: [null],
      }),
    capabilities: z.array(z.string()).meta({ examples: [['tools', 'vision']] }),
  })
  .meta({ id: 'Model' })

export const modelList = z.object({ object: z.literal('list'), data: z.array(model) })

const count = z.int().meta({ examples: [42] })

export const syncResult = z.object({
  synced: count,
  added: count,
  updated: count,
  removed: count,
  duration_ms: count,
})

export const keyTest = z
  .object({
    status: z.enum(['ok', 'refused', 'failed', 'untested']).meta({
      description:
        '`refused`: the provider does not accept the key. `failed`: the provider could not be asked. `untested`: it has no call that is free.',
    }),
    message: z.string().meta({ examples: ['The provider accepts the key.'] }),
    duration_ms: count,
  })
  .meta({ id: 'ProviderKeyTest' })

const prefix = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._:/-]{1,63}$/i, 'A prefix has 2 to 64 letters, digits or . _ : / -')

const customProviderFields = z.object({
  id: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{1,39}$/,
      'An id has 2 to 40 small letters, digits or hyphens and begins with a letter',
    ),
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ pattern: String.raw`\S` }),
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

const example = {
  name: 'My provider',
  base_url: 'https://llm.example.com/v1',
  prefixes: ['my-'],
}

export const customProviderBody = customProviderFields
  .extend({ kind: z.literal('openai-compatible').optional() })
  .meta({ examples: [{ id: 'my-provider', ...example }] })

/** What is not sent keeps its value. */
export const customProviderChange = customProviderFields
  .omit({ id: true, group_id: true })
  .extend({
    docs_url: customProviderFields.shape.docs_url.unwrap(),
    allow_private: z.boolean(),
    is_active: z.boolean(),
  })
  .partial()
  .strict()
  .meta({ examples: [{ name: 'My provider', is_active: false }] })

export const customProvider = z
  .object({
    id: z.string(),
    name: z.string(),
    base_url: z.string(),
    docs_url: z.string(),
    prefixes: z.array(z.string()),
    allow_private: z.boolean().meta({ description: 'Whether its address may be in a private network.' }),
    is_active: z.boolean(),
  })
  .meta({
    id: 'CustomProvider',
    examples: [{ id: 'my-provider', ...example, docs_url: '', allow_private: false, is_active: true }],
  })

export type Model = z.infer<typeof model>
export type KeyTest = z.infer<typeof keyTest>
export type SyncResult = z.infer<typeof syncResult>
export type CustomProvider = z.infer<typeof customProvider>

/** What uses a model without naming one. */
export const defaultUses = ['agents', 'standups'] as const

export const defaultModels = z
  .object({
    data: z.array(
      z.object({
        use: z.enum(defaultUses),
        model: z.string().meta({ examples: ['my-model'] }),
        source: z.enum(['group', 'server', 'automatic']).meta({
          description:
            '`group`: set for this group; `server`: `AGENT_MODEL` or `STANDUP_MODEL`; `automatic`: the newest capable model of a provider that the group has a key for.',
        }),
        retires_on: z
          .string()
          .nullable()
          .meta({ description: 'When the provider ends the model, where that is known.', examples: [null] }),
      }),
    ),
    suggestions: z
      .array(
        z.object({
          provider: z.string().meta({ examples: ['my-provider'] }),
          model: z.string().meta({ examples: ['my-model'] }),
        }),
      )
      .meta({ description: 'The newest capable model of each provider that the group has a key for.' }),
  })
  .meta({ id: 'DefaultModels' })

export const defaultModelBody = z
  .strictObject({
    model: z.string().trim().min(1).max(300).nullable(),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ model: 'my-model' }] })

export type DefaultUse = (typeof defaultUses)[number]
export type DefaultModels = z.infer<typeof defaultModels>
