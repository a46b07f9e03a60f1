import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import { pageOf } from '#kernel/paging'
import { rowJson } from '#kernel/rows'
import { authorIn, groupFor, inGroupQuery, toShownPage } from '../request.ts'
import * as shapes from '../shapes/services.ts'
import type { ServiceRouteDeps } from './routes.ts'

const tags = ['Services']
const read = { needs: 'read', inGroup: true } as const
const write = { needs: 'events', keyNeeds: 'admin', inGroup: true } as const

export function incidentRoutes(app: Http, { incidents, log }: ServiceRouteDeps): void {
  const incidentParams = z.object({ id: z.uuid().meta({ description: 'The ID of the incident.' }) })

  app.get(
    '/api/incidents',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listIncidents',
        summary: 'List incidents',
        description: 'Newest first. Health checks and alerts open and close them.',
        querystring: shapes.incidentQuery,
        response: { 200: pageOf(shapes.incident) },
      },
    },
    async (request) =>
      toShownPage(await incidents.list(groupOf(request).id, request.query), shapes.incident, log),
  )

  app.post(
    '/api/incidents',
    {
      config: write,
      schema: {
        tags,
        operationId: 'createIncident',
        summary: 'Create an incident',
        description:
          'For what no check and no alert sees. The state of a service that is not checked follows its incidents.',
        body: shapes.incidentBody,
        response: { 201: shapes.incident },
      },
    },
    async (request, reply) => {
      const incident = await incidents.create(authorIn(request, groupOf(request)), request.body)
      return reply.code(201).send(rowJson(incident) as never)
    },
  )

  app.get(
    '/api/incidents/:id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getIncident',
        summary: 'Get an incident',
        params: incidentParams,
        querystring: inGroupQuery,
        response: { 200: shapes.incident },
      },
    },
    async (request) =>
      rowJson(await incidents.find(groupFor(request, 'The incident').id, request.params.id)) as never,
  )

  app.patch(
    '/api/incidents/:id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'updateIncident',
        summary: 'Update an incident',
        description:
          'Fields that are not sent keep their values. Name the deployment that caused it. The cause and the times of an incident that health checks opened are set by them.',
        params: incidentParams,
        querystring: inGroupQuery,
        body: shapes.incidentChange,
        response: { 200: shapes.incident },
      },
    },
    async (request) => {
      const author = authorIn(request, groupFor(request, 'The incident'))
      return rowJson(await incidents.change(author, request.params.id, request.body)) as never
    },
  )

  app.delete(
    '/api/incidents/:id',
    {
      config: { ...write, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'deleteIncident',
        summary: 'Delete an incident',
        description: 'Only one that people added. What checks and alerts saw stays.',
        params: incidentParams,
        querystring: inGroupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await incidents.remove(authorIn(request, groupFor(request, 'The incident')), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
