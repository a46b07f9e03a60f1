import { z } from 'zod'
import type { Principal } from '#kernel/auth'
import { principalOf, type Http } from '#kernel/http'
import { changeKeyBody, placedProviderKey, revealedKey } from '../contract.ts'
import type { ProviderKeyRow } from '../key-store.ts'
import { formDocs, keyFor, page, wantsPage } from './provider-request.ts'
import type { RouteDeps } from './deps.ts'
import { toPlacedKey } from './to-json.ts'

const tags = ['Providers']
const params = z.object({ key_id: z.uuid().meta({ description: 'The ID of the provider key.' }) })
const admin = { needs: 'admin', docs: { ...formDocs, noBody: true } } as const

export function keyRoutes(app: Http, { keys, providers }: RouteDeps): void {
  function change(
    action: string,
    operationId: string,
    summary: string,
    act: (principal: Principal, id: string) => Promise<ProviderKeyRow>,
  ): void {
    app.post(
      `/providers/key/:key_id/${action}`,
      { config: admin, schema: { tags, operationId, summary, params, response: { 200: placedProviderKey } } },
      async (request, reply) => {
        const row = await act(principalOf(request), request.params.key_id)
        return wantsPage(request) ? reply.redirect(page, 303) : reply.code(200).send(toPlacedKey(row))
      },
    )
  }

  change('set-default', 'setDefaultProviderKey', 'Make a key the default of its provider', keys.setDefault)
  change('activate', 'activateProviderKey', 'Activate a key', (principal, id) =>
    keys.setActive(principal, id, true),
  )
  change('deactivate', 'deactivateProviderKey', 'Deactivate a key', (principal, id) =>
    keys.setActive(principal, id, false),
  )

  // HTML forms can only POST. PATCH stays out of the API document: its path also matches /providers/{provider_id}/accounts.
  for (const [method, url, hide] of [
    ['PATCH', '/providers/key/:key_id', true],
    ['POST', '/providers/key/:key_id/update', false],
  ] as const) {
    app.route({
      method,
      url,
      config: { needs: 'admin', docs: formDocs },
      schema: {
        tags,
        hide,
        operationId: 'updateProviderKey',
        summary: 'Rename, replace or pool a key',
        description:
          'Fields that are not sent keep their values. A replaced key keeps its ID, so that everything that selects it uses the new value: requests that begin after the response are sent with it. Pooled keys of a provider take over from each other.',
        params,
        body: changeKeyBody,
        response: { 200: placedProviderKey },
      },
      handler: async (request, reply) => {
        const principal = principalOf(request)
        const { name, api_key: value, weight, pooled } = request.body
        const found = await keys.find(principal, request.params.key_id)
        const key = value === undefined ? undefined : keyFor(providers, found, value)
        const row = await keys.change(principal, found.id, { key, name, weight, pooled })
        return wantsPage(request) ? reply.redirect(page, 303) : reply.code(200).send(toPlacedKey(row))
      },
    })
  }

  app.post(
    '/providers/key/:key_id/delete',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'deleteProviderKey',
        summary: 'Delete a key',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await keys.remove(principalOf(request), request.params.key_id)
      return wantsPage(request) ? reply.redirect(page, 303) : reply.code(204).send(null)
    },
  )

  app.get(
    '/providers/key/:key_id/reveal',
    {
      config: { needs: 'admin' },
      schema: {
        tags,
        operationId: 'revealProviderKey',
        summary: 'Reveal a key',
        description: 'Returns the key itself. Every call is recorded as an event.',
        params,
        response: { 200: revealedKey },
      },
    },
    async (request, reply) => {
      const { id, key } = await keys.reveal(principalOf(request), request.params.key_id)
      void reply.header('cache-control', 'no-store')
      return { id, api_key: key.reveal() }
    },
  )
}
