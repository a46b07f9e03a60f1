import { z } from 'zod'
import { listOf, principalOf, type Http } from '#kernel/http'
import {
  group,
  groupBody,
  invitation,
  invitationBody,
  member,
  memberBody,
  newInvitation,
} from '../contract.ts'
import type { InvitationRow } from '../invitation-store.ts'
import type { RouteDeps } from './deps.ts'

const tags = ['Groups']
const params = z.object({ id: z.uuid() })
const memberParams = z.object({ id: z.uuid(), user_id: z.uuid() })
const invitationParams = z.object({ id: z.uuid(), invitation_id: z.uuid() })
const gone = { 204: z.null() }
const admin = { needs: 'admin' } as const
const read = { needs: 'read' } as const

export function groupRoutes(app: Http, { groups, invitations, config }: RouteDeps): void {
  app.get(
    '/api/v1/groups',
    { config: read, schema: { tags, summary: 'Your groups', response: { 200: listOf(group) } } },
    async (request) => ({
      data: (await groups.list(principalOf(request))).map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
      })),
    }),
  )

  app.post(
    '/api/v1/groups',
    {
      config: { needs: 'person' },
      schema: { tags, summary: 'Make a group', body: groupBody, response: { 201: group } },
    },
    async (request, reply) => {
      const row = await groups.create(principalOf(request), request.body.name)
      return reply.code(201).send({ ...row, created_at: row.created_at.toISOString() })
    },
  )

  app.patch(
    '/api/v1/groups/:id',
    { config: admin, schema: { tags, summary: 'Rename a group', params, body: groupBody, response: gone } },
    async (request, reply) => {
      await groups.rename(principalOf(request), request.params.id, request.body.name)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/api/v1/groups/:id',
    {
      config: { needs: 'person' },
      schema: { tags, summary: 'Delete a group and all it owns', params, response: gone },
    },
    async (request, reply) => {
      await groups.remove(principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/v1/groups/:id/members',
    {
      config: read,
      schema: { tags, summary: 'The members of a group', params, response: { 200: listOf(member) } },
    },
    async (request) => {
      const rows = await groups.members(principalOf(request), request.params.id)
      return { data: rows.map((row) => ({ ...row, joined_at: row.joined_at.toISOString() })) }
    },
  )

  app.patch(
    '/api/v1/groups/:id/members/:user_id',
    {
      config: admin,
      schema: {
        tags,
        summary: "Change a member's role",
        params: memberParams,
        body: memberBody,
        response: gone,
      },
    },
    async (request, reply) => {
      const { id, user_id: userId } = request.params
      await groups.setRole(principalOf(request), id, userId, request.body.role)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/api/v1/groups/:id/members/:user_id',
    {
      config: read,
      schema: {
        tags,
        summary: 'Remove a member, or leave; their API keys are revoked',
        params: memberParams,
        response: gone,
      },
    },
    async (request, reply) => {
      await groups.removeMember(principalOf(request), request.params.id, request.params.user_id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/v1/groups/:id/invitations',
    {
      config: admin,
      schema: { tags, summary: 'Open invitations', params, response: { 200: listOf(invitation) } },
    },
    async (request) => {
      const { id } = groups.find(principalOf(request), request.params.id)
      return { data: (await invitations.list(id)).map(toInvitation) }
    },
  )

  app.post(
    '/api/v1/groups/:id/invitations',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Invite someone; the link is shown only here',
        params,
        body: invitationBody,
        response: { 201: newInvitation },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const chosen = groups.find(principal, request.params.id)
      const { row, token } = await invitations.invite(
        principal,
        chosen,
        request.body.role,
        request.body.email ?? null,
      )
      const base = config.PUBLIC_URL ?? `http://${request.headers.host ?? 'localhost'}`
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...toInvitation(row), url: `${base}/join?token=${token}` })
    },
  )

  app.delete(
    '/api/v1/groups/:id/invitations/:invitation_id',
    {
      config: admin,
      schema: { tags, summary: 'Withdraw an invitation', params: invitationParams, response: gone },
    },
    async (request, reply) => {
      await invitations.withdraw(
        groups.find(principalOf(request), request.params.id),
        request.params.invitation_id,
      )
      return reply.code(204).send(null)
    },
  )
}

function toInvitation(row: InvitationRow) {
  return { ...row, expires_at: row.expires_at.toISOString(), created_at: row.created_at.toISOString() }
}
