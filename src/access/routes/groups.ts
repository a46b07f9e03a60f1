import { z } from 'zod'
import { listOf, principalOf, type Http } from '#kernel/http'
import { rowJson } from '#kernel/rows'
import {
  group,
  changeGroupBody,
  invitation,
  invitationBody,
  member,
  memberBody,
  newGroupBody,
  newInvitation,
} from '../contract.ts'
import type { InvitationRow } from '../invitation-store.ts'
import type { RouteDeps } from './deps.ts'

const tags = ['Groups']
const id = z.uuid().meta({ description: 'The ID of the group.' })
const params = z.object({ id })
const memberParams = z.object({ id, user_id: z.uuid().meta({ description: 'The ID of the member.' }) })
const invitationParams = z.object({
  id,
  invitation_id: z.uuid().meta({ description: 'The ID of the invitation.' }),
})
const gone = { 204: z.null() }
const admin = { needs: 'admin' } as const
const read = { needs: 'read' } as const
const docs = { errors: ['conflict'] } as const

export function groupRoutes(app: Http, { groups, invitations, config }: RouteDeps): void {
  app.get(
    '/api/v1/groups',
    {
      // A person who is in no group yet gets an empty list.
      config: { needs: 'someone', keyNeeds: 'read' },
      schema: {
        tags,
        operationId: 'listGroups',
        summary: 'List groups',
        description: 'The groups that the caller belongs to.',
        response: { 200: listOf(group) },
      },
    },
    async (request) => ({
      data: (await groups.list(principalOf(request))).map((row) => rowJson(row)),
    }),
  )

  app.post(
    '/api/v1/groups',
    {
      config: { needs: 'person', roles: ['owner'] },
      schema: {
        tags,
        operationId: 'createGroup',
        summary: 'Create a group',
        description: 'The caller becomes its owner.',
        body: newGroupBody,
        response: { 201: group },
      },
    },
    async (request, reply) => {
      const row = await groups.create(principalOf(request), request.body)
      return reply.code(201).send(rowJson(row))
    },
  )

  app.patch(
    '/api/v1/groups/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'changeGroup',
        summary: 'Change a group',
        description: 'Its name, or the time zone of its pages.',
        params,
        body: changeGroupBody,
        response: gone,
      },
    },
    async (request, reply) => {
      await groups.change(principalOf(request), request.params.id, request.body)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/api/v1/groups/:id',
    {
      config: { needs: 'person', roles: ['owner'], docs },
      schema: {
        tags,
        operationId: 'deleteGroup',
        summary: 'Delete a group',
        description: 'Deletes the group with its keys, providers and usage log. This cannot be undone.',
        params,
        response: gone,
      },
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
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'List members',
        params,
        response: { 200: listOf(member) },
      },
    },
    async (request) => {
      const rows = await groups.members(principalOf(request), request.params.id)
      return { data: rows.map((row) => rowJson(row)) }
    },
  )

  app.patch(
    '/api/v1/groups/:id/members/:user_id',
    {
      config: { ...admin, docs },
      schema: {
        tags,
        operationId: 'updateMember',
        summary: "Change a member's role",
        description: 'A group keeps at least one owner.',
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
      // People may leave; a key never leaves in their name.
      config: { ...read, keyNeeds: 'admin', roles: ['owner', 'admin'], docs },
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Remove a member, or leave',
        description: 'The API keys that the member created in the group are revoked.',
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
      schema: {
        tags,
        operationId: 'listInvitations',
        summary: 'List open invitations',
        params,
        response: { 200: listOf(invitation) },
      },
    },
    async (request) => {
      const chosen = groups.find(principalOf(request), request.params.id)
      return { data: (await invitations.list(chosen)).map(toInvitation) }
    },
  )

  app.post(
    '/api/v1/groups/:id/invitations',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'createInvitation',
        summary: 'Create an invitation',
        description: 'The response is the only one that contains the link. Send it to the person.',
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
      schema: {
        tags,
        operationId: 'deleteInvitation',
        summary: 'Withdraw an invitation',
        params: invitationParams,
        response: gone,
      },
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

const toInvitation = (row: InvitationRow) => rowJson(row)
