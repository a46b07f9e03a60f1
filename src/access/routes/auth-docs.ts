import { z } from 'zod'
import type { RouteDocs } from '#kernel/http'

/** How better-auth's routes are described; it checks their bodies itself. */

/** Other fields are refused. */
const noOthers = { additionalProperties: false }

const password = z.string().meta({ examples: ['correct horse battery staple'] })

const session = z
  .looseObject({
    token: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The session, which the cookie carries.', examples: ['b1946ac92492d234'] }),
    user: z
      .looseObject({ id: z.string(), name: z.string(), email: z.string() })
      .optional()
      .meta({
        examples: [
          { id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f', name: 'Ada Lovelace', email: 'ada@example.com' },
        ],
      }),
  })
  .meta({ id: 'Session', description: 'Signed in; the session is in the cookie.' })

export const accepted = {
  response: { 200: session },
  errors: ['conflict', 'notFound', 'rateLimit'],
} satisfies RouteDocs

export const signIn = {
  body: z.object({ email: z.email(), password }).meta({
    ...noOthers,
    examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }],
  }),
  response: { 200: session },
  errors: ['notAuthenticated', 'rateLimit'],
} satisfies RouteDocs

export const signInSocial = {
  body: z
    .object({
      provider: z.literal('oidc'),
      callbackURL: z.string().optional().meta({ description: 'The page to return to.' }),
    })
    .meta({ ...noOthers, examples: [{ provider: 'oidc', callbackURL: '/' }] }),
  response: {
    200: z
      .looseObject({
        url: z.string().meta({ description: 'Where to send the browser.' }),
        redirect: z.boolean(),
      })
      .meta({ examples: [{ url: 'https://sso.example.com/authorize?client_id=signalbox', redirect: true }] }),
  },
  errors: ['notFound', 'rateLimit'],
} satisfies RouteDocs

export const signOut = {
  body: z.object({}).meta({ examples: [{}] }),
  response: { 200: z.looseObject({ success: z.boolean() }) },
  errors: ['rateLimit'],
} satisfies RouteDocs

export const changePassword = {
  body: z
    .object({
      currentPassword: password,
      newPassword: z.string().min(10).max(256),
      revokeOtherSessions: z
        .literal(true)
        .optional()
        .meta({ description: 'Not needed: the other sessions always end.' }),
    })
    .meta({
      ...noOthers,
      examples: [
        {
          currentPassword: 'correct horse battery staple',
          newPassword: 'another horse battery staple',
        },
      ],
    }),
  response: { 200: session },
  errors: ['notAuthenticated', 'rateLimit'],
} satisfies RouteDocs
