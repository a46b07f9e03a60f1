import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '#kernel/config'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { rowJson } from '#kernel/rows'
import { hook, hookBody, hookChange, newHook, type Hook } from '../contract.ts'
import type { HookRow, ListedHook } from '../hook-store.ts'
import type { Hooks } from '../hooks.ts'

const tags = ['Webhooks']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the webhook.' }) })
const admin = { needs: 'admin' } as const

export interface ManageDeps {
  config: Config
  hooks: Hooks
}

export function manageRoutes(app: Http, { config, hooks }: ManageDeps): void {
  app.get(
    '/api/webhooks',
    {
      config: { ...admin, inGroup: true },
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'The webhooks of the group, oldest first. Secrets are not shown.',
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: listOf(hook) },
      },
    },
    async (request) => {
      const rows = await hooks.list(groupOf(request).id)
      return { data: rows.map((row) => toHook(row, baseUrl(request, config))) }
    },
  )

  app.post(
    '/api/webhooks',
    {
      config: { ...admin, inGroup: true, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'The response is the only one that contains the secret. Enter it, and the URL, at the sender.',
        body: hookBody,
        response: { 201: newHook },
      },
    },
    async (request, reply) => {
      const { kind, name, secret, deploy_workflows: deployWorkflows = [] } = request.body
      const made = await hooks.create(principalOf(request), groupOf(request), {
        kind,
        name,
        secret,
        deployWorkflows,
      })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...toHook(made.row, baseUrl(request, config)), secret: made.secret })
    },
  )

  app.patch(
    '/api/webhooks/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'updateWebhook',
        summary: 'Update a webhook',
        description: 'Fields that are not sent keep their values. The old secret stops working at once.',
        params,
        body: hookChange,
        response: { 200: hook },
      },
    },
    async (request) => {
      const row = await hooks.change(principalOf(request), request.params.id, request.body)
      return toHook(row, baseUrl(request, config))
    },
  )

  app.delete(
    '/api/webhooks/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Its deliveries are deleted with it; the records that they made stay.',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await hooks.remove(principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}

const baseUrl = (request: FastifyRequest, { PUBLIC_URL: publicUrl }: Config): string =>
  publicUrl ?? `http://${request.headers.host ?? 'localhost'}`

const columns = [
  ...(['id', 'group_id', 'kind', 'name', 'is_active', 'deploy_workflows'] as const),
  ...(['created_by', 'created_at', 'updated_at'] as const),
]

function toHook(row: HookRow & Partial<ListedHook>, base: string): Hook {
  const { last_delivery_at: last = null, last_status = null } = row
  const url = `${base}/api/webhooks/${row.kind}/${row.id}`
  return { ...rowJson(row, columns), url, last_delivery_at: last && last.toISOString(), last_status }
}
