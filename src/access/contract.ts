import { z } from 'zod'

/** Shapes of the access routes, shared by server, dashboard and commands. Browser-safe. */

export const role = z.enum(['owner', 'admin', 'member', 'viewer'])
export const scope = z.enum(['gateway', 'embeddings', 'events', 'read', 'sql', 'agents', 'admin'])
const name = z.string().trim().min(1).max(100)
const email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())
const password = z.string().min(10, 'A password has at least 10 characters').max(256)
const time = z.iso.datetime({ offset: true })

export const apiKey = z.object({
  id: z.uuid(),
  group_id: z.uuid(),
  created_by: z.uuid().nullable(),
  name: z.string(),
  key_prefix: z.string(),
  key_suffix: z.string(),
  scopes: z.array(scope),
  provider_key_overrides: z.record(z.string(), z.string()),
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  revoked_at: time.nullable(),
  created_at: time,
})

/** The answer to making a key: the only time its value is shown. */
export const newApiKey = apiKey.extend({ key: z.string() })

const overrides = z
  .record(z.string().min(1).max(64), z.uuid())
  .refine((map) => Object.keys(map).length <= 50, 'At most 50 overrides')

export const createKeyBody = z.object({
  name,
  group_id: z.uuid().optional(),
  scopes: z.array(scope).min(1).optional(),
  provider_key_overrides: overrides.optional(),
  expires_at: time.nullish(),
})

export const changeKeyBody = z
  .object({
    name,
    scopes: z.array(scope).min(1),
    provider_key_overrides: overrides,
    expires_at: time.nullable(),
  })
  .partial()

export const group = z.object({ id: z.uuid(), name: z.string(), role, members: z.int(), created_at: time })
export const groupBody = z.object({ name })

export const member = z.object({
  user_id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role,
  joined_at: time,
})
export const memberBody = z.object({ role })

export const invitation = z.object({
  id: z.uuid(),
  group_id: z.uuid(),
  role,
  email: z.string().nullable(),
  expires_at: time,
  created_at: time,
})
/** The link is shown once: whoever has it may join. */
export const newInvitation = invitation.extend({ url: z.string() })
export const invitationBody = z.object({ role, email: email.optional() })

/** What the holder of a link may know before joining. */
export const invitationInfo = z.object({ group: z.string(), role, email: z.string().nullable() })
export const acceptBody = z.object({ token: z.string().min(1).max(200), name, email, password })

export const me = z.object({
  via: z.enum(['api_key', 'session', 'local']),
  user: z.object({ id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
  groups: z.array(z.object({ id: z.uuid(), name: z.string(), role })),
  group_id: z.uuid().nullable(),
  scopes: z.array(scope),
  version: z.string(),
})

/** How one may sign in here; public, for the sign-in page. */
export const signInOptions = z.object({
  local: z.boolean(),
  password: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
})

/** For the first-run page: where clients point, and the first key while this process still remembers it. */
export const welcome = z.object({
  base_url: z.string(),
  first_key: z.string().nullable(),
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
