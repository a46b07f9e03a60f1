import { z } from 'zod'
import type { Principal } from '#kernel/auth'
import { principalOf, type Http } from '#kernel/http'
import { placedProviderKey, revealedKey } from '../contract.ts'
import type { ProviderKeyRow } from '../key-store.ts'
import { page, wantsPage } from './asked.ts'
import type { RouteDeps } from './deps.ts'
import { toPlacedKey } from './shapes.ts'

const tags = ['Providers']
const params = z.object({ key_id: z.uuid() })
const admin = { needs: 'admin' } as const

export function keyRoutes(app: Http, { keys }: RouteDeps): void {
  function change(
    action: string,
    summary: string,
    act: (principal: Principal, id: string) => Promise<ProviderKeyRow>,
  ): void {
    app.post(
      `/providers/key/:key_id/${action}`,
      { config: admin, schema: { tags, summary, params, response: { 200: placedProviderKey } } },
      async (request, reply) => {
        const row = await act(principalOf(request), request.params.key_id)
        return wantsPage(request) ? reply.redirect(page, 303) : reply.code(200).send(toPlacedKey(row))
      },
    )
  }

  change('set-default', 'Make a key the default for its provider in the group', keys.setDefault)
  change('activate', 'Let a key be used', (principal, id) => keys.setActive(principal, id, true))
  change('deactivate', 'Keep a key from being used', (principal, id) => keys.setActive(principal, id, false))

  app.post(
    '/providers/key/:key_id/delete',
    { config: admin, schema: { tags, summary: 'Delete a key', params, response: { 204: z.null() } } },
    async (request, reply) => {
      await keys.remove(principalOf(request), request.params.key_id)
      return wantsPage(request) ? reply.redirect(page, 303) : reply.code(204).send(null)
    },
  )

  app.get(
    '/providers/key/:key_id/reveal',
    {
      config: admin,
      schema: {
        tags,
        summary: 'The value of a key; that it was shown is recorded',
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
