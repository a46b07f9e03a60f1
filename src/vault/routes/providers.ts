import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { addKeyBody, placedProviderKey, providerList } from '../contract.ts'
import { formDocs, keyFor, page, providerIn, providerParams, wantsPage } from './provider-request.ts'
import type { RouteDeps } from './deps.ts'
import { toAccount, toPlacedKey } from './to-json.ts'

const tags = ['Providers']

export function providerRoutes(app: Http, { accounts, keys, providers }: RouteDeps): void {
  app.get(
    page,
    {
      // A person who is not signed in reaches the sign-in by it.
      config: { needs: 'read', inGroup: true, page: 'The page holds no data.' },
      schema: {
        tags,
        operationId: 'listProviders',
        summary: 'List providers',
        description: "Every provider, with the group's accounts and keys. The keys themselves are not shown.",
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: providerList },
      },
    },
    async (request, reply) => {
      const group = groupOf(request)
      const [ownAccounts, ownKeys] = await Promise.all([accounts.list(group.id), keys.list(group.id)])
      const keysOf = Map.groupBy(ownKeys, (key) => key.provider_account_id)
      const accountsOf = Map.groupBy(ownAccounts, (account) => account.provider_id)
      void reply.header('vary', 'accept')
      return {
        providers: providers.list(group.id).map((each) => ({
          id: each.id,
          spec_name: each.specName,
          name: each.name,
          base_url: each.baseUrl,
          docs_url: each.docsUrl,
          is_active: each.isActive,
          is_custom: each.isCustom,
          prefixes: [...each.prefixes],
          accounts: (accountsOf.get(each.id) ?? []).map((row) => toAccount(row, keysOf.get(row.id) ?? [])),
        })),
      }
    },
  )

  app.post(
    '/providers/:provider_id',
    {
      config: { needs: 'admin', inGroup: true, docs: { ...formDocs, errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'addProviderKey',
        summary: 'Add a key to a provider',
        description: 'The key belongs to the account `Default`, which is created if it does not exist.',
        params: providerParams,
        body: addKeyBody,
        response: { 201: placedProviderKey },
      },
    },
    async (request, reply) => {
      const group = groupOf(request)
      const providerId = providerIn(providers, group.id, request.params.provider_id)
      const { api_key: value, name } = request.body
      const key = keyFor(providers, { group_id: group.id, provider_id: providerId }, value)
      const account = await accounts.useDefault(group.id, providerId)
      const row = await keys.add(principalOf(request), account, { key, name })
      return wantsPage(request) ? reply.redirect(page, 303) : reply.code(201).send(toPlacedKey(row))
    },
  )
}
