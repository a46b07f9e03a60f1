import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import {
  accountBody,
  addKeyBody,
  changeAccountBody,
  placedProviderKey,
  providerAccount,
} from '../contract.ts'
import { formDocs, keyFor, page, providerIn, providerParams, wantsPage } from './provider-request.ts'
import type { RouteDeps } from './deps.ts'
import { toAccount, toPlacedKey } from './to-json.ts'

const tags = ['Providers']
const params = z.object({ account_id: z.uuid().meta({ description: 'The ID of the account.' }) })
const docs = { ...formDocs, errors: ['conflict'] } as const
const admin = { needs: 'admin', docs } as const

export function accountRoutes(app: Http, { accounts, keys, providers }: RouteDeps): void {
  app.post(
    '/providers/:provider_id/accounts',
    {
      config: { ...admin, inGroup: true },
      schema: {
        tags,
        operationId: 'createProviderAccount',
        summary: 'Create an account with a provider',
        params: providerParams,
        body: accountBody,
        response: { 201: providerAccount },
      },
    },
    async (request, reply) => {
      const group = groupOf(request)
      const providerId = providerIn(providers, group.id, request.params.provider_id)
      const { name, account_email = null, account_phone = null } = request.body
      const row = await accounts.create(principalOf(request), group, providerId, {
        name,
        account_email,
        account_phone,
      })
      return wantsPage(request) ? reply.redirect(page, 303) : reply.code(201).send(toAccount(row, []))
    },
  )

  app.post(
    '/providers/accounts/:account_id/keys',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'addAccountKey',
        summary: 'Add a key to an account',
        params,
        body: addKeyBody,
        response: { 201: placedProviderKey },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const account = await accounts.find(principal, request.params.account_id)
      const { api_key: value, name } = request.body
      const key = keyFor(providers, account, value)
      const row = await keys.add(principal, account, { key, name })
      return wantsPage(request) ? reply.redirect(page, 303) : reply.code(201).send(toPlacedKey(row))
    },
  )

  // HTML forms can only POST; other clients may use the method that says what they mean.
  // Those stay out of the API document: their path also matches /providers/{provider_id}/accounts.
  for (const [method, url, hide] of [
    ['PATCH', '/providers/accounts/:account_id', true],
    ['POST', '/providers/accounts/:account_id/update', false],
  ] as const) {
    app.route({
      method,
      url,
      config: admin,
      schema: {
        tags,
        hide,
        operationId: 'updateProviderAccount',
        summary: 'Update an account',
        description:
          'Fields that are not sent keep their values. An empty string removes the address or number.',
        params,
        body: changeAccountBody,
        response: { 200: providerAccount },
      },
      handler: async (request, reply) => {
        const { name, account_email: email, account_phone: phone } = request.body
        const row = await accounts.change(principalOf(request), request.params.account_id, {
          name,
          account_email: email === '' ? null : email,
          account_phone: phone === '' ? null : phone,
        })
        if (wantsPage(request)) return reply.redirect(page, 303)
        return reply.code(200).send(toAccount(row, await keys.listOfAccount(row.id)))
      },
    })
  }

  for (const [method, url, hide] of [
    ['DELETE', '/providers/accounts/:account_id', true],
    ['POST', '/providers/accounts/:account_id/delete', false],
  ] as const) {
    app.route({
      method,
      url,
      config: { ...admin, docs: { ...docs, noBody: true } },
      schema: {
        tags,
        hide,
        operationId: 'deleteProviderAccount',
        summary: 'Delete an account and its keys',
        params,
        response: { 204: z.null() },
      },
      handler: async (request, reply) => {
        await accounts.remove(principalOf(request), request.params.account_id)
        return wantsPage(request) ? reply.redirect(page, 303) : reply.code(204).send(null)
      },
    })
  }
}
