import { z } from 'zod'
import { type Http } from '#kernel/http'
import { pageOf } from '#kernel/paging'
import type { Log } from '#kernel/log'
import { rowJson } from '#kernel/rows'
import { recordRoutes } from '../record-routes.ts'
import type { Db } from '../record-store.ts'
import { authorIn, groupFor, inGroupQuery, toPage, toShownPage } from '../request.ts'
import * as shapes from '../shapes/services.ts'
import { listChecks, listRollups } from './history-store.ts'
import type { createIncidents } from './incidents.ts'
import type { createMaintenance } from './maintenance.ts'
import type { Services } from './services.ts'

export interface ServiceRouteDeps {
  db: Db
  services: Services
  maintenance: ReturnType<typeof createMaintenance>
  incidents: ReturnType<typeof createIncidents>
  log: Log
}

const tags = ['Services']
const read = { needs: 'read', inGroup: true } as const
const admin = { needs: 'admin', inGroup: true } as const
const what = 'The service'
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the service.' }) })

export function serviceRoutes(app: Http, deps: ServiceRouteDeps): void {
  recordRoutes(app, {
    path: '/api/services',
    tag: 'Services',
    noun: 'service',
    plural: 'services',
    kind: deps.services,
    shapes: {
      record: shapes.service,
      body: shapes.serviceBody,
      change: shapes.serviceChange,
      query: shapes.serviceQuery,
    },
    needs: 'admin',
    log: deps.log,
    about: 'Signalbox checks the URL of each service.',
  })
  historyRoutes(app, deps)
  maintenanceRoutes(app, deps)
}

function historyRoutes(app: Http, { db, services }: ServiceRouteDeps): void {
  app.post(
    '/api/services/:id/check',
    {
      config: { ...admin, docs: { errors: ['conflict'], noBody: true } },
      schema: {
        tags,
        operationId: 'checkService',
        summary: 'Check a service now',
        description: 'Plans a check for now. Its result is in the list of checks as soon as it is there.',
        params,
        querystring: inGroupQuery,
        response: { 202: z.object({ planned: z.literal(true) }) },
      },
    },
    async (request, reply) => {
      await services.checkNow(groupFor(request, what).id, request.params.id)
      return reply.code(202).send({ planned: true as const })
    },
  )

  app.get(
    '/api/services/:id/checks',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listHealthChecks',
        summary: 'List the checks of a service',
        description: 'Newest first. Single checks are kept for 7 days.',
        params,
        querystring: shapes.checkQuery,
        response: { 200: pageOf(shapes.healthCheck) },
      },
    },
    async (request) => {
      const { id } = await services.get(groupFor(request, what).id, request.params.id)
      return toPage(await listChecks(db, id, request.query))
    },
  )

  app.get(
    '/api/services/:id/history',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listHealthHistory',
        summary: 'List sums of the checks of a service',
        description: 'Newest first: how many checks of each minute, hour or day (UTC) passed and failed.',
        params,
        querystring: shapes.rollupQuery,
        response: { 200: pageOf(shapes.healthRollup) },
      },
    },
    async (request) => {
      const { id } = await services.get(groupFor(request, what).id, request.params.id)
      return toPage(await listRollups(db, id, request.query))
    },
  )
}

function maintenanceRoutes(app: Http, { services, maintenance, log }: ServiceRouteDeps): void {
  app.get(
    '/api/services/:id/maintenance',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listMaintenanceWindows',
        summary: 'List maintenance windows of a service',
        description: 'Those that were added last come first.',
        params,
        querystring: shapes.maintenanceQuery,
        response: { 200: pageOf(shapes.maintenanceWindow) },
      },
    },
    async (request) => {
      const { id } = await services.get(groupFor(request, what).id, request.params.id)
      return toShownPage(await maintenance.list(id, request.query), shapes.maintenanceWindow, log)
    },
  )

  app.post(
    '/api/services/:id/maintenance',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'createMaintenanceWindow',
        summary: 'Plan maintenance of a service',
        description: 'Checks that fail in the window open no incident and do not count against the uptime.',
        params,
        querystring: inGroupQuery,
        body: shapes.maintenanceBody,
        response: { 201: shapes.maintenanceWindow },
      },
    },
    async (request, reply) => {
      const group = groupFor(request, what)
      const service = await services.get(group.id, request.params.id)
      const window = await maintenance.add(authorIn(request, group), service, request.body)
      return reply.code(201).send(rowJson(window) as never)
    },
  )

  app.delete(
    '/api/maintenance/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'deleteMaintenanceWindow',
        summary: 'Delete a maintenance window',
        params: z.object({ id: z.uuid().meta({ description: 'The ID of the window.' }) }),
        querystring: inGroupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const group = groupFor(request, 'The maintenance window')
      await maintenance.remove(authorIn(request, group), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
