import { z } from 'zod'

/** Shapes of the provider-management routes, shared by server and dashboard. Browser-safe. */

const time = z.iso.datetime({ offset: true })
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ pattern: String.raw`\S` })
const phone = z.string().trim().max(50)
const providerId = z.string().meta({ examples: ['openai'] })
const accountName = z.string().meta({ examples: ['Default'] })
/** A form sends an empty string for a field that was left empty. */
const left = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const keyFields = {
  id: z.uuid(),
  name: z.string().meta({ examples: ['Production'] }),
  key_suffix: z.string().meta({
    description: 'The last four characters of the key; of a short one asterisks.',
    examples: ['9f3c'],
  }),
  is_default: z.boolean().meta({ description: 'Used where an API key names no other.' }),
  is_active: z.boolean(),
  weight: z.int().meta({ description: 'Its share among the pooled keys of the provider.', examples: [1] }),
  pooled: z.boolean().meta({
    description: 'Takes over from the other pooled keys of the provider, and they from it.',
    examples: [false],
  }),
  user_id: z.uuid().nullable().meta({ description: 'The person who added it.' }),
  created_at: time,
  last_used_at: time.nullable(),
  last_error: z
    .string()
    .nullable()
    .meta({
      description: 'Why the provider last refused this key; null after a call that succeeded.',
      examples: ['Incorrect API key provided.'],
    }),
  last_error_at: time.nullable(),
}

export const providerKey = z.object(keyFields).meta({ id: 'ProviderKey' })

/** A key on its own also says where it belongs. */
export const placedProviderKey = z
  .object({ ...keyFields, provider_account_id: z.uuid(), provider_id: providerId, group_id: z.uuid() })
  .meta({ id: 'PlacedProviderKey' })

export const providerAccount = z
  .object({
    id: z.uuid(),
    group_id: z.uuid(),
    provider_id: providerId,
    name: accountName,
    account_email: z
      .string()
      .nullable()
      .meta({ examples: ['billing@example.com'] }),
    account_phone: z
      .string()
      .nullable()
      .meta({ examples: ['+44 20 7946 0000'] }),
    keys: z.array(providerKey),
  })
  .meta({ id: 'ProviderAccount' })

export const provider = z
  .object({
    id: providerId,
    spec_name: z
      .string()
      .nullable()
      .meta({ description: 'Another name that is accepted for the ID.', examples: [null] }),
    name: z.string().meta({ examples: ['OpenAI'] }),
    base_url: z.string().meta({ examples: ['https://api.openai.com/v1'] }),
    docs_url: z.string().meta({ examples: ['https://platform.openai.com/docs'] }),
    is_active: z.boolean(),
    is_custom: z.boolean().meta({ description: 'Added by an owner of the group.', examples: [false] }),
    prefixes: z
      .array(z.string())
      .meta({ description: 'Model names that begin like this go to the provider.', examples: [['gpt-']] }),
    accounts: z.array(providerAccount),
  })
  .meta({ id: 'Provider' })

export const providerList = z.object({ providers: z.array(provider) })
export const revealedKey = z.object({
  id: z.uuid(),
  api_key: z.string().meta({ examples: ['sk-proj-4f9aT0bW3mYcVh2sLr8dPqNz'] }),
})

/** Of a built-in provider; local servers take placeholders such as `EMPTY`. */
export const shortestKey = 8

/** Keys travel in headers: visible ASCII only, so a line break can smuggle nothing in. What a paste adds is cut off. */
export const keyValue = z
  .string()
  .trim()
  .min(1, 'a provider key must not be empty')
  .max(4096, 'a provider key has at most 4096 characters')
  .regex(/^[\x21-\x7e]*$/, 'paste the key alone, without spaces, line breaks or other signs in it')

export const addKeyBody = z
  .object({ api_key: keyValue, name: left(name), group_id: left(z.uuid()) })
  .meta({ examples: [{ api_key: 'sk-proj-4f9aT0bW3mYcVh2sLr8dPqNz', name: 'Production' }] })
export const changeKeyBody = z
  .object({
    name: left(name),
    api_key: left(keyValue).meta({ description: 'Takes the place of the stored key.' }),
    weight: left(
      z
        .union([
          z.int(),
          z
            .string()
            .regex(/^\d{1,4}$/)
            .transform(Number),
        ])
        .pipe(z.int().min(1).max(1000)),
    ),
    pooled: left(z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])),
  })
  .meta({ examples: [{ name: 'Production' }] })
export const accountBody = z
  .object({
    name,
    account_email: left(z.email().max(254)),
    account_phone: left(phone),
    group_id: left(z.uuid()),
  })
  .meta({ examples: [{ name: 'Research', account_email: 'billing@example.com' }] })
/** An empty string removes the address or number. */
export const changeAccountBody = z
  .object({
    name,
    account_email: z.union([z.email().max(254), z.literal('')]).nullable(),
    account_phone: phone.nullable(),
  })
  .partial()
  .meta({ examples: [{ name: 'Research', account_phone: null }] })

export type ProviderKey = z.infer<typeof providerKey>
export type PlacedProviderKey = z.infer<typeof placedProviderKey>
export type ProviderAccount = z.infer<typeof providerAccount>
export type Provider = z.infer<typeof provider>
export type ProviderList = z.infer<typeof providerList>
