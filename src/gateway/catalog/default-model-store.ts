import type { Kysely } from 'kysely'
import type { DefaultUse } from '../contract.ts'
import type { GatewayTables } from './provider-store.ts'

type Db = Kysely<GatewayTables>

export async function readDefaults(db: Db, groupId: string): Promise<Map<DefaultUse, string>> {
  const rows = await db
    .selectFrom('gateway.default_models')
    .select(['use', 'model'])
    .where('group_id', '=', groupId)
    .execute()
  return new Map(rows.map(({ use, model }) => [use, model]))
}

/** Of all groups. */
export async function listDefaults(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('gateway.default_models').select('model').distinct().execute()
  return rows.map(({ model }) => model)
}

export async function writeDefault(
  db: Db,
  groupId: string,
  use: DefaultUse,
  model: string | null,
): Promise<void> {
  if (model === null) {
    await db
      .deleteFrom('gateway.default_models')
      .where('group_id', '=', groupId)
      .where('use', '=', use)
      .execute()
    return
  }
  await db
    .insertInto('gateway.default_models')
    .values({ group_id: groupId, use, model })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'use']).doUpdateSet({ model, updated_at: new Date() }),
    )
    .execute()
}
