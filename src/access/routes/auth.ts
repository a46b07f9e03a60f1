import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Fault, faults, tooMany, type FaultKind } from '#kernel/errors'
import { principalOf, refuseUnknownFields, type Http } from '#kernel/http'
import { acceptBody, invitationInfo, signInOptions } from '../contract.ts'
import { signInUnavailable, type People } from '../people.ts'
import * as docs from './auth-docs.ts'
import type { RouteDeps } from './deps.ts'

const tags = ['Sign-in']
const page = {
  needs: 'page',
  open: 'A person who signs in has no session yet; the route checks the password, the link or the session.',
} as const

/** The better-auth routes that are exposed; all others are not. */
const opened = [
  {
    method: 'POST',
    path: '/sign-in/email',
    hide: false,
    operationId: 'signIn',
    summary: 'Sign in with email and password',
    docs: docs.signIn,
  },
  {
    method: 'POST',
    path: '/sign-in/social',
    hide: false,
    operationId: 'startSingleSignOn',
    summary: 'Start single sign-on',
    docs: docs.signInSocial,
  },
  // Not for clients: the single sign-on provider sends browsers here.
  {
    method: 'GET',
    path: '/callback/oidc',
    hide: true,
    operationId: 'finishSingleSignOn',
    summary: 'Finish single sign-on',
    docs: {},
  },
  {
    method: 'POST',
    path: '/sign-out',
    hide: false,
    operationId: 'signOut',
    summary: 'Sign out',
    docs: docs.signOut,
  },
  {
    method: 'POST',
    path: '/change-password',
    hide: false,
    operationId: 'changePassword',
    summary: 'Change the password',
    docs: docs.changePassword,
  },
] as const

export function authRoutes(app: Http, deps: RouteDeps): void {
  const { config, people, invitations, passwordAttempts } = deps
  app.get(
    '/api/auth/options',
    {
      config: page,
      schema: {
        tags,
        operationId: 'getSignInOptions',
        summary: 'Get the ways to sign in',
        response: { 200: signInOptions },
      },
    },
    () => ({
      local: config.localOwner,
      password: true,
      oidc: config.OIDC_ISSUER ? { name: config.OIDC_NAME } : null,
    }),
  )

  app.get(
    '/api/auth/invitation',
    {
      config: { ...page, docs: { errors: ['notFound'] } },
      schema: {
        tags,
        operationId: 'getInvitation',
        summary: 'Get what a link invites to',
        querystring: z.object({
          token: z
            .string()
            .min(1)
            .max(200)
            .meta({ description: 'The token in the link.', examples: ['Zk3v9QpX'] }),
        }),
        response: { 200: invitationInfo },
      },
    },
    async (request) => {
      const found = await invitations.look(request.query.token)
      return { group: found.group_name, role: found.role, email: found.email }
    },
  )

  app.post(
    '/api/auth/invitation/accept',
    {
      config: { ...page, docs: docs.accepted },
      schema: {
        tags,
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description: 'Joins the group and signs in. A person who has an account gives its password.',
        body: acceptBody,
      },
    },
    async (request, reply) => {
      const { email, password } = request.body
      await passwordAttempts.limit(
        { email, address: request.ip },
        () => invitations.accept(request.body),
        () => true,
      )
      return relay(reply, await people.signIn(email, password, headersFor(request)))
    },
  )

  app.post(
    '/api/auth/sign-out-everywhere',
    {
      config: { needs: 'person', docs: { noBody: true } },
      schema: {
        tags,
        operationId: 'signOutEverywhere',
        summary: 'Sign out everywhere',
        description: 'Ends every session of the caller, in this and in all other browsers.',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { user } = principalOf(request)
      if (user) await people.signOutEverywhere(user.id)
      return reply.code(204).send(null)
    },
  )

  for (const { method, path, hide, operationId, summary, docs: described } of opened) {
    app.route({
      method,
      url: `/api/auth${path}`,
      config: { ...page, docs: described },
      schema: { tags, hide, operationId, summary },
      handler: async (request, reply) => {
        const unknown = 'body' in described && refuseUnknownFields(described.body, request.body)
        if (unknown) throw unknown
        const ask = () => people.handle(toWebRequest(request, method, path))
        const email = await accountOf(request, path, people)
        if (email === undefined) return relay(reply, await ask())
        const attempt = { email, address: request.ip }
        return relay(reply, await passwordAttempts.limit(attempt, ask, (response) => response.ok))
      },
    })
  }
}

/** Whose password this route checks; undefined where it checks none. */
async function accountOf(
  request: FastifyRequest,
  path: (typeof opened)[number]['path'],
  people: People,
): Promise<string | undefined> {
  if (path === '/sign-in/email') {
    const { email } = (request.body ?? {}) as { email?: unknown }
    return typeof email === 'string' ? email : ''
  }
  if (path !== '/change-password') return undefined
  return (await people.sessionUser(headersFor(request)))?.email
}

/** Converts a request to the web Request that better-auth expects. */
function toWebRequest(request: FastifyRequest, method: 'GET' | 'POST', path: string): Request {
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
  // Never the Host of the request, which may be anything: better-auth knows its own address.
  const url = `http://localhost/api/auth${path}${query}`
  // A password is often changed because somebody else knows it: they are signed out with it.
  const always = path === '/change-password' ? { revokeOtherSessions: true } : {}
  const body = JSON.stringify({ ...(request.body as object | undefined), ...always })
  return new Request(url, { method, headers: headersFor(request), ...(method === 'POST' && { body }) })
}

function headersFor(request: FastifyRequest): Headers {
  const headers = new Headers({ 'content-type': 'application/json', 'x-forwarded-for': request.ip })
  for (const name of ['cookie', 'origin', 'user-agent'] as const) {
    const value = request.headers[name]
    if (value) headers.set(name, value)
  }
  return headers
}

async function relay(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  if (response.status >= 400) throw await toFault(response)
  for (const cookie of response.headers.getSetCookie()) void reply.header('set-cookie', cookie)
  const location = response.headers.get('location')
  if (location && response.status >= 300) return reply.redirect(location, response.status)
  return reply
    .code(response.status)
    .type('application/json')
    .send(await response.text())
}

const kinds: Record<number, FaultKind> = {
  400: faults.invalidRequest,
  401: faults.notAuthenticated,
  403: faults.forbidden,
  404: faults.notFound,
  422: faults.invalidRequest,
}

async function toFault(response: Response): Promise<Fault> {
  if (response.status >= 500) return signInUnavailable(response.status)
  if (response.status === 429) return tooMany('signIns', Number(response.headers.get('x-retry-after')))
  const { message } = (await response.json().catch(() => ({}))) as { message?: string }
  return new Fault(kinds[response.status] ?? faults.internal, message ?? 'Sign-in failed.')
}
