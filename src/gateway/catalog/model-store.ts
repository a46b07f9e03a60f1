import type { Kysely, Selectable } from 'kysely'
import { lockUntilCommit } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { GatewayTables } from './provider-store.ts'
import type { ModelInfo } from '../providers/index.ts'

type Db = Kysely<GatewayTables>

export interface ListOwner {
  groupId: string
  providerId: string
}

/** What a provider's own list says a model costs a group, in US dollars for a million tokens and for a request. */
export interface SyncedPrice extends Pick<
  ModelInfo,
  'inputPrice' | 'outputPrice' | 'cacheReadPrice' | 'cacheWritePrice' | 'requestPrice' | 'otherPrices'
> {
  groupId: string
  model: string
}

export interface SyncResult {
  synced: number
  added: number
  updated: number
  removed: number
}

/** Makes a group's stored list equal to the given one, and counts what changed. */
export async function replaceModels(
  db: Db,
  owner: ListOwner,
  models: readonly ModelInfo[],
): Promise<SyncResult> {
  const { groupId, providerId } = owner
  return db.transaction().execute(async (transaction) => {
    // Two synchronisations at once would count each other's rows.
    await lockUntilCommit(transaction, `models ${groupId} ${providerId}`)
    const before = await transaction
      .selectFrom('gateway.models')
      .selectAll()
      .where('group_id', '=', groupId)
      .where('provider_id', '=', providerId)
      .execute()
    const known = new Map(before.map((row) => [row.id, fingerprint(toModelInfo(row))]))
    const unique = [...new Map(models.map((model) => [model.id, model])).values()]
    const wanted = new Set(unique.map((model) => model.id))
    const removed = before.filter((row) => !wanted.has(row.id)).map((row) => row.id)
    const changed = unique.filter((model) => known.get(model.id) !== fingerprint(model))
    // More likely an outage or another format than a provider without models.
    if (unique.length === 0 && removed.length > 0) throw emptyListFault(removed.length)
    if (removed.length > 0)
      await transaction
        .deleteFrom('gateway.models')
        .where('group_id', '=', groupId)
        .where('provider_id', '=', providerId)
        .where('id', 'in', removed)
        .execute()
    for (let start = 0; start < changed.length; start += 500)
      await upsert(transaction, owner, changed.slice(start, start + 500))
    const added = changed.filter((model) => !known.has(model.id)).length
    return { synced: unique.length, added, updated: changed.length - added, removed: removed.length }
  })
}

const emptyListFault = (kept: number): Fault =>
  new Fault(
    faults.provider,
    `The provider sent a list without models. The ${kept} stored models are unchanged.`,
  )

async function upsert(
  db: Db,
  { groupId, providerId }: ListOwner,
  models: readonly ModelInfo[],
): Promise<void> {
  await db
    .insertInto('gateway.models')
    .values(
      models.map((model) => ({
        group_id: groupId,
        provider_id: providerId,
        synced_at: new Date(),
        ...toRow(model),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'provider_id', 'id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        created: eb.ref('excluded.created'),
        context_length: eb.ref('excluded.context_length'),
        max_output: eb.ref('excluded.max_output'),
        input_price_per_1m: eb.ref('excluded.input_price_per_1m'),
        output_price_per_1m: eb.ref('excluded.output_price_per_1m'),
        cache_read_price_per_1m: eb.ref('excluded.cache_read_price_per_1m'),
        cache_write_price_per_1m: eb.ref('excluded.cache_write_price_per_1m'),
        request_price: eb.ref('excluded.request_price'),
        other_prices: eb.ref('excluded.other_prices'),
        capabilities: eb.ref('excluded.capabilities'),
        synced_at: eb.ref('excluded.synced_at'),
      })),
    )
    .execute()
}

function toRow(model: ModelInfo) {
  return {
    id: model.id,
    name: model.name,
    created: model.created,
    context_length: model.contextLength,
    max_output: model.maxOutput,
    input_price_per_1m: model.inputPrice,
    output_price_per_1m: model.outputPrice,
    cache_read_price_per_1m: model.cacheReadPrice,
    cache_write_price_per_1m: model.cacheWritePrice,
    request_price: model.requestPrice,
    other_prices: model.otherPrices ? JSON.stringify(model.otherPrices) : null,
    capabilities: [...model.capabilities],
  }
}

/** The models of a group, by provider. */
export async function listSyncedModels(db: Db, groupId: string): Promise<Map<string, ModelInfo[]>> {
  const rows = await db
    .selectFrom('gateway.models')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.provider_id)].map(([providerId, each]) => [
      providerId,
      each.map(toModelInfo),
    ]),
  )
}

/** What the lists of some providers say about prices, of all groups. */
export async function listSyncedPrices(db: Db, providerIds: readonly string[]): Promise<SyncedPrice[]> {
  return db
    .selectFrom('gateway.models')
    .select([
      'group_id as groupId',
      'id as model',
      'input_price_per_1m as inputPrice',
      'output_price_per_1m as outputPrice',
      'cache_read_price_per_1m as cacheReadPrice',
      'cache_write_price_per_1m as cacheWritePrice',
      'request_price as requestPrice',
      'other_prices as otherPrices',
    ])
    .where('provider_id', 'in', providerIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('gateway.providers')
            .select('gateway.providers.id')
            .whereRef('gateway.providers.group_id', '=', 'gateway.models.group_id')
            .whereRef('gateway.providers.id', '=', 'gateway.models.provider_id'),
        ),
      ),
    )
    .where('input_price_per_1m', 'is not', null)
    .execute()
}

function toModelInfo(row: Selectable<GatewayTables['gateway.models']>): ModelInfo {
  return {
    id: row.id,
    created: row.created,
    ownedBy: row.provider_id,
    name: row.name,
    contextLength: row.context_length,
    maxOutput: row.max_output,
    inputPrice: row.input_price_per_1m,
    outputPrice: row.output_price_per_1m,
    cacheReadPrice: row.cache_read_price_per_1m,
    cacheWritePrice: row.cache_write_price_per_1m,
    requestPrice: row.request_price,
    otherPrices: row.other_prices,
    capabilities: row.capabilities,
  }
}

/** What counts as a change; prices compare as numbers written in full, since PostgreSQL keeps their digits. */
function fingerprint(model: ModelInfo): string {
  return JSON.stringify(toRow(model))
}
