import type { Kysely, Selectable } from 'kysely'
import { lockUntilCommit } from '#kernel/db'
import type { GatewayTables } from './provider-store.ts'
import type { ModelInfo } from '../providers/index.ts'

type Db = Kysely<GatewayTables>

export interface SyncResult {
  synced: number
  added: number
  updated: number
  removed: number
}

/** Makes the stored list equal to the given one, and counts what changed. */
export async function replaceModels(
  db: Db,
  providerId: string,
  models: readonly ModelInfo[],
): Promise<SyncResult> {
  return db.transaction().execute(async (transaction) => {
    // Two synchronisations at once would count each other's rows.
    await lockUntilCommit(transaction, `models ${providerId}`)
    const before = await transaction
      .selectFrom('gateway.models')
      .selectAll()
      .where('provider_id', '=', providerId)
      .execute()
    const known = new Map(before.map((row) => [row.id, fingerprint(toModelInfo(row))]))
    const unique = [...new Map(models.map((model) => [model.id, model])).values()]
    const wanted = new Set(unique.map((model) => model.id))
    const removed = before.filter((row) => !wanted.has(row.id)).map((row) => row.id)
    const changed = unique.filter((model) => known.get(model.id) !== fingerprint(model))
    if (removed.length > 0)
      await transaction
        .deleteFrom('gateway.models')
        .where('provider_id', '=', providerId)
        .where('id', 'in', removed)
        .execute()
    for (let start = 0; start < changed.length; start += 500)
      await upsert(transaction, providerId, changed.slice(start, start + 500))
    const added = changed.filter((model) => !known.has(model.id)).length
    return { synced: unique.length, added, updated: changed.length - added, removed: removed.length }
  })
}

async function upsert(db: Db, providerId: string, models: readonly ModelInfo[]): Promise<void> {
  await db
    .insertInto('gateway.models')
    .values(models.map((model) => ({ provider_id: providerId, synced_at: new Date(), ...toRow(model) })))
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        context_length: eb.ref('excluded.context_length'),
        max_output: eb.ref('excluded.max_output'),
        input_price_per_1m: eb.ref('excluded.input_price_per_1m'),
        output_price_per_1m: eb.ref('excluded.output_price_per_1m'),
        cache_read_price_per_1m: eb.ref('excluded.cache_read_price_per_1m'),
        cache_write_price_per_1m: eb.ref('excluded.cache_write_price_per_1m'),
        request_price: eb.ref('excluded.request_price'),
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
    context_length: model.contextLength,
    max_output: model.maxOutput,
    input_price_per_1m: model.inputPrice,
    output_price_per_1m: model.outputPrice,
    cache_read_price_per_1m: model.cacheReadPrice,
    cache_write_price_per_1m: model.cacheWritePrice,
    request_price: model.requestPrice,
    capabilities: [...model.capabilities],
  }
}

export async function listSyncedModels(db: Db): Promise<Map<string, ModelInfo[]>> {
  const rows = await db.selectFrom('gateway.models').selectAll().orderBy('id').execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.provider_id)].map(([providerId, each]) => [
      providerId,
      each.map(toModelInfo),
    ]),
  )
}

function toModelInfo(row: Selectable<GatewayTables['gateway.models']>): ModelInfo {
  return {
    id: row.id,
    created: null,
    ownedBy: row.provider_id,
    name: row.name,
    contextLength: row.context_length,
    maxOutput: row.max_output,
    inputPrice: row.input_price_per_1m,
    outputPrice: row.output_price_per_1m,
    cacheReadPrice: row.cache_read_price_per_1m,
    cacheWritePrice: row.cache_write_price_per_1m,
    requestPrice: row.request_price,
    capabilities: row.capabilities,
  }
}

/** What counts as a change; prices compare as numbers written in full, since PostgreSQL keeps their digits. */
function fingerprint(model: ModelInfo): string {
  return JSON.stringify(toRow(model))
}
