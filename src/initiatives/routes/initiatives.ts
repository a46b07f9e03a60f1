import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import { pageOf } from '#kernel/paging'
import { authorOf } from '../author.ts'
import {
  initiative,
  initiativeBody,
  initiativeChange,
  initiativeQuery,
  initiativeSummary,
  type InitiativeSummary,
} from '../contract.ts'
import { toJson, type Initiatives } from '../initiatives.ts'
import { groupFor, inGroupQuery, params, read, tags, write, writeByPeople } from './shared.ts'

/** What other parts know about initiatives. */
export interface InitiativeExtras {
  openTickets(groupId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  lastStandups(ids: readonly string[]): Promise<ReadonlyMap<string, Date>>
}

export function initiativeRoutes(
  app: Http,
  { initiatives, extras }: { initiatives: Initiatives; extras: InitiativeExtras },
): void {
  app.get(
    '/api/initiatives',
    {
      config: { ...read, forRuns: true },
      schema: {
        tags,
        operationId: 'listInitiatives',
        summary: 'List initiatives',
        description: 'Newest first.',
        querystring: initiativeQuery,
        response: { 200: pageOf(initiativeSummary) },
      },
    },
    async (request) => {
      const { id } = groupOf(request)
      const { data: rows, next_cursor } = await initiatives.list(id, request.query)
      const ids = rows.map((row) => row.id)
      const [tickets, standups] = await Promise.all([extras.openTickets(id, ids), extras.lastStandups(ids)])
      const data = rows.map(({ created_by: _by, ...row }) => ({
        ...row,
        open_tickets: tickets.get(row.id) ?? 0,
        last_standup_at: standups.get(row.id) ?? null,
      }))
      return { data: toJson(data) as InitiativeSummary[], next_cursor }
    },
  )

  app.post(
    '/api/initiatives',
    {
      config: write,
      schema: {
        tags,
        operationId: 'createInitiative',
        summary: 'Create an initiative',
        body: initiativeBody,
        response: { 201: initiative },
      },
    },
    async (request, reply) => {
      const created = await initiatives.create(groupOf(request).id, authorOf(request), request.body)
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/api/initiatives/:id',
    {
      config: { ...read, forRuns: true },
      schema: {
        tags,
        operationId: 'getInitiative',
        summary: 'Get an initiative',
        description: 'With its criteria, findings, questions, decisions, documents and links.',
        params,
        querystring: inGroupQuery,
        response: { 200: initiative },
      },
    },
    async (request) => initiatives.get(groupFor(request), request.params.id),
  )

  app.patch(
    '/api/initiatives/:id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'updateInitiative',
        summary: 'Update an initiative',
        description: 'Fields that are not sent keep their values.',
        params,
        querystring: inGroupQuery,
        body: initiativeChange,
        response: { 200: initiative },
      },
    },
    async (request) =>
      initiatives.change(groupFor(request), authorOf(request), request.params.id, request.body),
  )

  app.delete(
    '/api/initiatives/:id',
    {
      config: writeByPeople,
      schema: {
        tags,
        operationId: 'deleteInitiative',
        summary: 'Delete an initiative',
        description: 'With its decisions, documents and stand-ups. Tickets stay.',
        params,
        querystring: inGroupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await initiatives.remove(groupFor(request), authorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
