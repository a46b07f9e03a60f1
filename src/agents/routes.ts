import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Membership } from '#kernel/auth'
import { notFound } from '#kernel/errors'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { cutPage, groupId, pageOf, paging, placeCursor, readPlace } from '#kernel/paging'
import { rowJson } from '#kernel/rows'
import type { AgentRow, VersionRow } from './agent-store.ts'
import { agent, agentBody, agentChange, agentVersion, type Agent, type AgentVersion } from './contract.ts'
import type { Registry } from './registry.ts'

const tags = ['Agents']
const params = z.object({
  id: z
    .string()
    .max(100)
    .meta({ description: 'The ID of the agent.', examples: ['data-engineer'] }),
})
const groupQuery = z.object(groupId)
/** Groups have few agents, so all of them are one page by default. */
const listQuery = z.object(paging(500, 500))
const agentIds = /^[a-z0-9-]{1,63}$/
const read = { needs: 'read', inGroup: true } as const
const admin = { needs: 'admin', inGroup: true } as const

export function agentRoutes(app: Http, registry: Registry): void {
  readRoutes(app, registry)
  changeRoutes(app, registry)
}

function readRoutes(app: Http, registry: Registry): void {
  app.get(
    '/api/agents',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listAgents',
        summary: 'List agents',
        description: 'The agents of the group, the built-in ones first.',
        querystring: listQuery,
        response: { 200: pageOf(agent) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query
      const after = readPlace(cursor, agentIds)
      const rows = await registry.list(groupOf(request).id, { after, limit: limit + 1 })
      return cutPage(rows, limit, ({ created_at, id }) => placeCursor(created_at, id), toAgent)
    },
  )

  app.get(
    '/api/agents/:id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getAgent',
        summary: 'Get an agent',
        params,
        querystring: groupQuery,
        response: { 200: agent },
      },
    },
    async (request) => toAgent(await registry.find(groupWithAgents(request).id, request.params.id)),
  )

  app.get(
    '/api/agents/:id/versions',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listAgentVersions',
        summary: 'List versions of an agent',
        description: 'Every version, newest first, also of an agent that was deleted.',
        params,
        querystring: groupQuery,
        response: { 200: listOf(agentVersion) },
      },
    },
    async (request) => {
      const rows = await registry.versions(groupWithAgents(request).id, request.params.id)
      return { data: rows.map(toVersion) }
    },
  )
}

function changeRoutes(app: Http, registry: Registry): void {
  app.post(
    '/api/agents',
    {
      config: { ...admin, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'createAgent',
        summary: 'Create an agent',
        description:
          'Only an owner of the group who is signed in may set `config.mcp_servers`, and the permission mode and the environment of an agent that starts commands; outside the first group only `signalbox mcp`.',
        body: agentBody,
        response: { 201: agent },
      },
    },
    async (request, reply) => {
      const row = await registry.create(principalOf(request), groupOf(request), request.body)
      return reply.code(201).send(toAgent(row))
    },
  )

  app.patch(
    '/api/agents/:id',
    {
      config: { ...admin, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'updateAgent',
        summary: 'Update an agent',
        description:
          'Fields that are not sent keep their values, also those of `config`. A changed policy ends approvals that were given under the old one.',
        params,
        querystring: groupQuery,
        body: agentChange,
        response: { 200: agent },
      },
    },
    async (request) => {
      const group = groupWithAgents(request)
      return toAgent(await registry.change(principalOf(request), group, request.params.id, request.body))
    },
  )

  app.delete(
    '/api/agents/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'deleteAgent',
        summary: 'Delete an agent',
        description: 'Its versions are kept.',
        params,
        querystring: groupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await registry.remove(principalOf(request), groupWithAgents(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}

/** To a person without any group no agent exists. */
function groupWithAgents(request: FastifyRequest): Membership {
  if (principalOf(request).groups.length === 0) throw notFound('The agent')
  return groupOf(request)
}

const columns = [
  ...(['id', 'group_id', 'name', 'model', 'category', 'description', 'capabilities', 'config'] as const),
  ...(['version', 'policy_version', 'created_by', 'created_at', 'updated_at'] as const),
]

const toAgent = (row: AgentRow): Agent => rowJson(row, columns)

const ofVersion = ['version', 'policy_version', 'change', 'record', 'changed_at'] as const

const toVersion = (row: VersionRow): AgentVersion => ({
  ...rowJson(row, ofVersion),
  changed_by: row.changed_by_name,
})
