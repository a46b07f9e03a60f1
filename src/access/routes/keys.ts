import { z } from 'zod'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { rowJson } from '#kernel/rows'
import type { ApiKeyRow } from '../api-key-store.ts'
import { apiKey, changeKeyBody, createKeyBody, newApiKey, rotateKeyBody, type ApiKey } from '../contract.ts'
import type { RouteDeps } from './deps.ts'

const tags = ['API keys']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the API key.' }) })
const inGroup = { needs: 'read', inGroup: true } as const
/** People manage their own keys; a key must be allowed to manage the group's. */
const change = { needs: 'read', keyNeeds: 'admin' } as const
const changeOthers = { ...change, roles: ['owner', 'admin'] } as const
const errors = ['conflict'] as const

export function keyRoutes(app: Http, { apiKeys }: RouteDeps): void {
  app.get(
    '/api/v1/keys',
    {
      config: inGroup,
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'The keys of the group, newest first, with those that are revoked.',
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: listOf(apiKey) },
      },
    },
    async (request) => ({ data: (await apiKeys.list(groupOf(request).id)).map(toApiKey) }),
  )

  app.post(
    '/api/v1/keys',
    {
      config: { ...change, inGroup: true },
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'The response is the only one that contains the key itself. Store it. A key created with an API key has at most its scopes, provider key overrides, allowed models, allowed addresses and expiry, and ends with it.',
        body: createKeyBody,
        response: { 201: newApiKey },
      },
    },
    async (request, reply) => {
      const { body } = request
      const { row, value } = await apiKeys.create(principalOf(request), groupOf(request), {
        name: body.name,
        scopes: body.scopes,
        overrides: body.provider_key_overrides,
        expiresAt: body.expires_at ? new Date(body.expires_at) : null,
        allowedModels: body.allowed_models,
        allowedAddresses: body.allowed_addresses,
      })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...toApiKey(row), key: value })
    },
  )

  app.patch(
    '/api/v1/keys/:id',
    {
      config: { ...changeOthers, docs: { errors } },
      schema: {
        tags,
        operationId: 'updateApiKey',
        summary: 'Update an API key',
        description:
          'Fields that are not sent keep their values. A revoked key cannot be changed. Other people change only the keys that they created.',
        params,
        body: changeKeyBody,
        response: { 200: apiKey },
      },
    },
    async (request) => {
      const { expires_at: expiry, ...rest } = request.body
      const changed = {
        ...rest,
        ...(expiry !== undefined && { expires_at: expiry === null ? null : new Date(expiry) }),
      }
      return toApiKey(await apiKeys.change(principalOf(request), request.params.id, changed))
    },
  )

  app.post(
    '/api/v1/keys/:id/rotate',
    {
      config: { ...change, roles: ['owner'], docs: { errors } },
      schema: {
        tags,
        operationId: 'rotateApiKey',
        summary: 'Rotate an API key',
        description:
          'Gives the key a new value, which only this response contains. The old value is accepted for `overlap_seconds`; one from an earlier rotation ends. Other people rotate only the keys that they created.',
        params,
        body: rotateKeyBody,
        response: { 200: newApiKey },
      },
    },
    async (request, reply) => {
      const { overlap_seconds: seconds } = request.body
      const { row, value } = await apiKeys.rotate(principalOf(request), request.params.id, seconds)
      return reply.header('cache-control', 'no-store').send({ ...toApiKey(row), key: value })
    },
  )

  app.delete(
    '/api/v1/keys/:id',
    {
      config: changeOthers,
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'From now on requests with it, and with the keys that were created with it, are refused. This cannot be undone. Other people revoke only the keys that they created.',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await apiKeys.revoke(principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}

const toApiKey = (row: ApiKeyRow): ApiKey =>
  rowJson({ ...row, previous_valid_until: stillValid(row.previous_valid_until) })

const stillValid = (until: Date | null): Date | null => (until && until.getTime() > Date.now() ? until : null)
