import * as defaults from '../../../src/gateway/catalog/default-model-store.ts'
import * as models from '../../../src/gateway/catalog/model-store.ts'
import * as providers from '../../../src/gateway/catalog/provider-store.ts'
import * as stored from '../../../src/gateway/catalog/stored-response-store.ts'
import * as syncs from '../../../src/gateway/catalog/sync-store.ts'
import { createModelSearchKind } from '../../../src/gateway/catalog/search-kind.ts'
import * as routes from '../../../src/gateway/routing/names/route-store.ts'
import * as rests from '../../../src/gateway/routing/rest-store.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const model = {
  id: 'model',
  created: null,
  ownedBy: 'provider',
  name: 'name',
  contextLength: null,
  maxOutput: null,
  inputPrice: null,
  outputPrice: null,
  cacheReadPrice: null,
  cacheWritePrice: null,
  requestPrice: null,
  capabilities: [],
}

const provider = {
  group_id: id,
  id: 'provider',
  name: 'name',
  base_url: 'https://provider.example',
  docs_url: '',
  prefixes: [],
  allow_private: false,
  is_active: true,
}

const route = {
  name: 'fast',
  description: '',
  strategy: 'order' as const,
  targets: [{ model: 'model' }],
  attempts: null,
  timeout_ms: null,
  first_token_timeout_ms: null,
}

export const gateway: Sample = async ({ tables, answer }) => {
  const db = tables<providers.GatewayTables>()
  // The stored model is no longer listed, the listed one is new.
  answer([{ id: 'former', capabilities: [] }])
  await models.replaceModels(db, { groupId: id, providerId: 'provider' }, [model])
  answer([])
  await models.listSyncedModels(db, id)
  await models.listSyncedPrices(db, ['provider'])
  await syncs.listDueSyncs(db, at)
  await syncs.listTriedSince(db, at)
  await syncs.noteSync(db, { groupId: id, providerId: 'provider' }, null)

  await providers.listCustomProviders(db)
  await providers.listCustomProviders(db, id)
  await providers.insertCustomProvider(db, provider)
  await providers.updateCustomProvider(db, provider)
  await providers.deleteCustomProvider(db, id, 'provider')
  await providers.listInactiveProviders(db)
  await providers.insertInactiveProvider(db, { group_id: id, provider_id: 'provider' })
  await providers.deleteInactiveProvider(db, { group_id: id, provider_id: 'provider' })

  await routes.listRoutes(db, id)
  await routes.findRoute(db, id, 'fast')
  answer([{ count: '1' }])
  await routes.countRoutes(db, id)
  answer([])
  await routes.insertRoute(db, id, route)
  await routes.updateRoute(db, id, 'fast', { description: '', targets: [{ model: 'model' }] })
  await routes.deleteRoute(db, id, 'fast')

  await rests.sendRest(tables(), 'message')

  await stored.insertStoredResponses(db, [
    { id: 'resp_1', group_id: id, api_key_id: id, provider_key_id: null, model: 'model' },
  ])
  await stored.findStoredResponse(db, 'resp_1')
  await stored.deleteStoredResponse(db, 'resp_1')
  await stored.deleteStoredBefore(db, at)

  await defaults.readDefaults(db, id)
  await defaults.listDefaults(db)
  await defaults.writeDefault(db, id, 'agents', 'model')
  await defaults.writeDefault(db, id, 'agents', null)

  const kind = createModelSearchKind(db, new Map())
  answer([], [])
  await kind.changed(null, 10)
  answer([])
  await kind.missing([{ id: `${id}/provider/model`, at }])
}
