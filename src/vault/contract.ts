import { z } from 'zod'

/** Shapes of the provider-management routes, shared by server and dashboard. Browser-safe. */

const time = z.iso.datetime({ offset: true })
const name = z.string().trim().min(1).max(100)
const phone = z.string().trim().max(50)
/** A form sends an empty text for a field that was left empty. */
const left = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const providerKey = z.object({
  id: z.uuid(),
  name: z.string(),
  key_suffix: z.string(),
  is_default: z.boolean(),
  is_active: z.boolean(),
  user_id: z.uuid().nullable(),
  created_at: time,
  last_used_at: time.nullable(),
  /** What the provider said when it last refused this key; null again after a call that went well. */
  last_error: z.string().nullable(),
  last_error_at: time.nullable(),
})

/** A key by itself also says where it belongs. */
export const placedProviderKey = providerKey.extend({
  provider_account_id: z.uuid(),
  provider_id: z.string(),
  group_id: z.uuid(),
})

export const providerAccount = z.object({
  id: z.uuid(),
  group_id: z.uuid(),
  provider_id: z.string(),
  name: z.string(),
  account_email: z.string().nullable(),
  account_phone: z.string().nullable(),
  keys: z.array(providerKey),
})

export const provider = z.object({
  id: z.string(),
  spec_name: z.string().nullable(),
  name: z.string(),
  base_url: z.string(),
  docs_url: z.string(),
  is_active: z.boolean(),
  prefixes: z.array(z.string()),
  accounts: z.array(providerAccount),
})

export const providerList = z.object({ providers: z.array(provider) })
export const revealedKey = z.object({ id: z.uuid(), api_key: z.string() })

/** Keys travel in headers: visible ASCII only, so a line break can smuggle nothing in. */
export const keyValue = z
  .string()
  .min(8, 'a provider key has at least 8 characters')
  .max(4096, 'a provider key has at most 4096 characters')
  .regex(/^[\x21-\x7e]*$/, 'paste the key alone, without spaces, line breaks or other signs around it')

export const addKeyBody = z.object({ api_key: keyValue, name: left(name), group_id: left(z.uuid()) })
export const accountBody = z.object({
  name,
  account_email: z.email().max(254),
  account_phone: left(phone),
  group_id: left(z.uuid()),
})
/** An empty text takes the address or number away. */
export const changeAccountBody = z
  .object({
    name,
    account_email: z.union([z.email().max(254), z.literal('')]).nullable(),
    account_phone: phone.nullable(),
  })
  .partial()

export type ProviderKey = z.infer<typeof providerKey>
export type PlacedProviderKey = z.infer<typeof placedProviderKey>
export type ProviderAccount = z.infer<typeof providerAccount>
export type Provider = z.infer<typeof provider>
export type ProviderList = z.infer<typeof providerList>
