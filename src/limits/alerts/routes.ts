import { z } from 'zod'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { rowJson } from '#kernel/rows'
import type { ListedAlert } from './alert-store.ts'
import type { AlertList } from './alerts.ts'
import {
  alert,
  alertBody,
  alertChange,
  recommendedAlert,
  type Alert,
  type RecommendedAlert,
} from './shapes.ts'

const tags = ['Alerts']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the alert.' }) })
const groupQuery = z.object({ group_id: z.uuid().optional() })

export interface AlertRouteDeps {
  alerts: AlertList
  recommend(groupId: string): Promise<RecommendedAlert[]>
}

export function alertRoutes(app: Http, { alerts, recommend }: AlertRouteDeps): void {
  app.get(
    '/api/v1/alerts',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'listAlerts',
        summary: 'List alerts',
        description: 'The alerts of the group, oldest first.',
        querystring: groupQuery,
        response: { 200: listOf(alert) },
      },
    },
    async (request) => ({ data: (await alerts.list(groupOf(request).id)).map(toAlert) }),
  )

  app.get(
    '/api/v1/alerts/recommended',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'listRecommendedAlerts',
        summary: 'List recommended alerts',
        description:
          'Alerts that most groups want, with values that fit the group, and how often each would have fired lately. None is active until it is created.',
        querystring: groupQuery,
        response: { 200: listOf(recommendedAlert) },
      },
    },
    async (request) => ({ data: await recommend(groupOf(request).id) }),
  )

  app.post(
    '/api/v1/alerts',
    {
      config: { needs: 'admin', inGroup: true, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'createAlert',
        summary: 'Create an alert',
        description: 'It is evaluated at once, and fires where its condition is met already.',
        body: alertBody,
        response: { 201: alert },
      },
    },
    async (request, reply) => {
      const row = await alerts.create(principalOf(request), groupOf(request), request.body)
      return reply.code(201).send(toAlert(row))
    },
  )

  app.get(
    '/api/v1/alerts/:id',
    {
      config: { needs: 'read' },
      schema: {
        tags,
        operationId: 'getAlert',
        summary: 'Get an alert',
        params,
        response: { 200: alert },
      },
    },
    async (request) => toAlert(await alerts.find(principalOf(request), request.params.id)),
  )

  app.patch(
    '/api/v1/alerts/:id',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        operationId: 'updateAlert',
        summary: 'Update an alert',
        description:
          'Fields that are not sent keep their values; `config` is replaced as a whole. The kind cannot be changed. Turning an alert off ends what is firing.',
        params,
        body: alertChange,
        response: { 200: alert },
      },
    },
    async (request) => toAlert(await alerts.change(principalOf(request), request.params.id, request.body)),
  )

  app.delete(
    '/api/v1/alerts/:id',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        operationId: 'deleteAlert',
        summary: 'Delete an alert',
        description: 'What is firing ends. Its events stay in the console.',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await alerts.remove(principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}

const columns = [
  ...(['id', 'group_id', 'name', 'kind', 'config', 'severity', 'channels', 'is_active'] as const),
  ...(['last_fired_at', 'created_by', 'created_at', 'updated_at'] as const),
]

const toAlert = (row: ListedAlert): Alert => ({
  ...rowJson(row, columns),
  state: row.is_firing ? 'firing' : 'ok',
})
