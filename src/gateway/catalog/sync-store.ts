import { sql, type Kysely } from 'kysely'
import type { ListOwner } from './model-store.ts'
import type { GatewayTables } from './provider-store.ts'

type Db = Kysely<GatewayTables>

/** Lists that were fetched before this time, and not since. */
export async function listDueSyncs(db: Db, before: Date): Promise<ListOwner[]> {
  return db
    .selectFrom('gateway.models')
    .leftJoin('gateway.model_syncs', (join) =>
      join
        .onRef('gateway.model_syncs.group_id', '=', 'gateway.models.group_id')
        .onRef('gateway.model_syncs.provider_id', '=', 'gateway.models.provider_id'),
    )
    .select(['gateway.models.group_id as groupId', 'gateway.models.provider_id as providerId'])
    .distinct()
    .where((eb) =>
      eb.or([
        eb('gateway.model_syncs.tried_at', 'is', null),
        eb('gateway.model_syncs.tried_at', '<', before),
      ]),
    )
    .orderBy('groupId')
    .orderBy('providerId')
    .execute()
}

/** Lists that were asked for since this time. */
export async function listTriedSince(db: Db, since: Date): Promise<ListOwner[]> {
  return db
    .selectFrom('gateway.model_syncs')
    .select(['group_id as groupId', 'provider_id as providerId'])
    .where('tried_at', '>=', since)
    .execute()
}

/** Notes that a list was asked for, and why that failed. Returns whether the time before had failed too. */
export async function noteSync(
  db: Db,
  { groupId, providerId }: ListOwner,
  failure: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ failure: string | null }>`
    with earlier as (
      select failure from gateway.model_syncs where group_id = ${groupId} and provider_id = ${providerId}
    )
    insert into gateway.model_syncs (group_id, provider_id, tried_at, failure)
    values (${groupId}, ${providerId}, now(), ${failure})
    on conflict (group_id, provider_id) do update
      set tried_at = excluded.tried_at, failure = excluded.failure
    returning (select failure from earlier) as failure`.execute(db)
  return (rows[0]?.failure ?? null) !== null
}
