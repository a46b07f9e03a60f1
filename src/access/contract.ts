import { z } from 'zod'
import { networkText, readNetwork } from '#kernel/network'
import { isTimeZone } from '#kernel/time-zone'

/** Shapes of the access routes, shared by server, dashboard and commands. Browser-safe. */

const notBlank = String.raw`\S`

export const role = z.enum(['owner', 'admin', 'member', 'viewer']).meta({ id: 'Role' })
export const scope = z
  .enum(['gateway', 'embeddings', 'events', 'read', 'sql', 'agents', 'admin'])
  .meta({ id: 'Scope' })
/** Blanks around a name are cut off, so one of blanks alone is empty. */
const name = z.string().trim().min(1).max(100).meta({ pattern: notBlank })
const email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())
const password = z.string().min(10, 'A password has at least 10 characters').max(256)
const time = z.iso.datetime({ offset: true })
const personName = z.string().meta({ examples: ['Ada Lovelace'] })
const emailText = z.string().meta({ examples: ['ada@example.com'] })
const groupName = z.string().meta({ examples: ['Platform'] })
const groupTimeZone = z
  .string()
  .nullable()
  .meta({
    description: 'The time zone of its pages. Null: the one of each reader.',
    examples: ['Europe/Berlin'],
  })

const apiKeyFields = {
  id: z.uuid(),
  group_id: z.uuid(),
  created_by: z.uuid().nullable().meta({ description: 'The person who created it.' }),
  name: z.string().meta({ examples: ['CI'] }),
  key_prefix: z.string().meta({ description: 'How the key begins.', examples: ['sb-4f9a'] }),
  key_suffix: z.string().meta({ description: 'The last characters of the key.', examples: ['x7Qk'] }),
  scopes: z.array(scope),
  provider_key_overrides: z.record(z.string(), z.string()).meta({
    description: 'The provider key to use, by provider, instead of the default.',
    examples: [{ openai: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f' }],
  }),
  expires_at: time.nullable().meta({ description: 'Null: it does not expire.' }),
  allowed_models: z
    .array(z.string())
    .nullable()
    .meta({
      description:
        'The models that the key may name; `*` stands for any text. Names of routes count as names of models: the models that a route leads to need not be in the list. Null: every model.',
      examples: [['gpt-6-*', 'fast']],
    }),
  allowed_addresses: z
    .array(z.string())
    .nullable()
    .meta({
      description: 'The networks that requests with the key may come from. Null: from everywhere.',
      examples: [['10.0.0.0/8', '2001:db8::/32']],
    }),
  last_used_at: time.nullable(),
  revoked_at: time.nullable(),
  previous_valid_until: time.nullable().meta({
    description: 'Until when the value before the last rotation is accepted. Null: it is not.',
  }),
  created_at: time,
}

export const apiKey = z.object(apiKeyFields).meta({ id: 'ApiKey' })

/** The response to creating a key: the only time its value is shown. */
export const newApiKey = z
  .object({
    ...apiKeyFields,
    key: z.string().meta({
      description: 'The key itself. It is not shown again.',
      examples: ['sb-4f9aT0bW3mYcVh2sLr8dPqNzUe6gKj1o'],
    }),
  })
  .meta({ id: 'NewApiKey' })

const overrides = z
  .record(z.string().min(1).max(64), z.uuid())
  .refine((map) => Object.keys(map).length <= 50, 'At most 50 overrides')
  .meta({ maxProperties: 50 })

const maxEntries = 100
/** Without control characters, which no name of a model has. */
const modelPattern = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{C}*$/u, 'must be the name of a model, in which * stands for any text')
const network = z
  .string()
  .trim()
  .max(64)
  .transform((text, context) => {
    const read = readNetwork(text)
    if (read) return networkText(read)
    context.addIssue({
      code: 'custom',
      message: 'must be an address or a network such as 10.0.0.0/8 or 2001:db8::/32',
    })
    return z.NEVER
  })
const allowList = <T extends z.ZodType<string, string>>(entry: T) =>
  z
    .array(entry)
    .min(1, 'must have an entry; null allows everything')
    .max(maxEntries)
    .transform((entries) => [...new Set(entries)])
    .nullable()
const allowedModels = allowList(modelPattern)
const allowedAddresses = allowList(network)

export const createKeyBody = z
  .object({
    name,
    group_id: z.uuid().optional(),
    scopes: z
      .array(scope)
      .min(1)
      .optional()
      .meta({ description: 'Defaults to all that your role allows, except `admin`.' }),
    provider_key_overrides: overrides.optional(),
    expires_at: time.nullish(),
    allowed_models: allowedModels.optional(),
    allowed_addresses: allowedAddresses.optional(),
  })
  .meta({ examples: [{ name: 'CI', scopes: ['gateway', 'read'] }] })

export const changeKeyBody = z
  .object({
    name,
    scopes: z.array(scope).min(1),
    provider_key_overrides: overrides,
    expires_at: time.nullable(),
    allowed_models: allowedModels,
    allowed_addresses: allowedAddresses,
  })
  .partial()
  .meta({ examples: [{ name: 'CI of the web team', scopes: ['gateway'] }] })

/** 30 days. */
const maxOverlapSeconds = 2_592_000
export const rotateKeyBody = z
  .object({
    overlap_seconds: z
      .int()
      .min(0)
      .max(maxOverlapSeconds)
      .default(0)
      .meta({ description: 'How long the old value is still accepted, at most 30 days. Defaults to 0.' }),
  })
  .meta({ examples: [{ overlap_seconds: 3600 }] })

export const group = z
  .object({
    id: z.uuid(),
    name: groupName,
    role,
    time_zone: groupTimeZone,
    members: z.int().meta({ examples: [4] }),
    created_at: time,
  })
  .meta({ id: 'Group' })
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
  .nullable()
export const newGroupBody = z
  .object({ name, time_zone: timeZone.optional() })
  .meta({ examples: [{ name: 'Platform', time_zone: 'Europe/Berlin' }] })
export const changeGroupBody = newGroupBody.partial().meta({ examples: [{ time_zone: 'Europe/Berlin' }] })

export const member = z
  .object({
    user_id: z.uuid(),
    name: personName,
    email: emailText,
    role,
    joined_at: time,
  })
  .meta({ id: 'Member' })
export const memberBody = z.object({ role }).meta({ examples: [{ role: 'admin' }] })

const invitationFields = {
  id: z.uuid(),
  group_id: z.uuid(),
  role,
  email: emailText.nullable().meta({ description: 'Null: anyone with the link may join.' }),
  expires_at: time,
  created_at: time,
}
export const invitation = z.object(invitationFields).meta({ id: 'Invitation' })
/** The link is shown once. Anyone who has it may join. */
export const newInvitation = z
  .object({
    ...invitationFields,
    url: z.string().meta({
      description: 'The link to join. It is not shown again.',
      examples: ['https://signalbox.example.com/join?token=Zk3v9QpX'],
    }),
  })
  .meta({ id: 'NewInvitation' })
export const invitationBody = z
  .object({ role, email: email.optional() })
  .meta({ examples: [{ role: 'member', email: 'ada@example.com' }] })

/** What the holder of a link may know before joining. */
export const invitationInfo = z.object({ group: groupName, role, email: emailText.nullable() })
export const acceptBody = z.object({ token: z.string().min(1).max(200), name, email, password }).meta({
  examples: [
    {
      token: 'Zk3v9QpX',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      password: 'correct horse battery staple',
    },
  ],
})

export const me = z
  .object({
    via: z.enum(['api_key', 'session', 'local']),
    user: z.object({ id: z.uuid(), name: personName, email: emailText }).nullable(),
    groups: z.array(z.object({ id: z.uuid(), name: groupName, role, time_zone: groupTimeZone })),
    group_id: z.uuid().nullable().meta({ description: 'The group that requests act in.' }),
    scopes: z.array(scope).meta({ description: 'The scopes in that group.' }),
    can_create_groups: z.boolean().meta({ description: 'See the setting GROUP_CREATORS.' }),
    version: z.string().meta({ examples: ['0.1.0'] }),
    commit: z.string().meta({
      description: 'The commit that the server was built from; `unknown` where it cannot say.',
      examples: ['0123456789ab'],
    }),
  })
  .meta({ id: 'Me' })

/** How people sign in; public, for the sign-in page. */
export const signInOptions = z.object({
  local: z
    .boolean()
    .meta({ description: 'The owner of this machine signs in with the link that the terminal prints.' }),
  password: z.boolean(),
  oidc: z
    .object({ name: z.string().meta({ examples: ['Example SSO'] }) })
    .nullable()
    .meta({ description: 'The single sign-on provider, if one is set up.' }),
})

/** For the first-run page: where clients point, and the first key while this process still remembers it. */
export const welcome = z.object({
  base_url: z.string().meta({ examples: ['https://signalbox.example.com'] }),
  first_key: z
    .string()
    .nullable()
    .meta({ examples: ['sb-4f9aT0bW3mYcVh2sLr8dPqNzUe6gKj1o'] }),
  key_used: z.boolean(),
})

export type ApiKey = z.infer<typeof apiKey>
export type NewApiKey = z.infer<typeof newApiKey>
export type Group = z.infer<typeof group>
export type Member = z.infer<typeof member>
export type Invitation = z.infer<typeof invitation>
export type NewInvitation = z.infer<typeof newInvitation>
export type Me = z.infer<typeof me>
export type SignInOptions = z.infer<typeof signInOptions>
export type Welcome = z.infer<typeof welcome>
export type InvitationInfo = z.infer<typeof invitationInfo>
export type Scope = z.infer<typeof scope>
export type Role = z.infer<typeof role>
