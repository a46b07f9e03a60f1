import type { Kysely } from 'kysely'
import { deleteOldCommits } from './commit-store.ts'
import { deleteOldDeliveries } from './delivery-store.ts'
import type { WebhookTables } from './tables.ts'

const dayMs = 86_400_000
const portion = 500
/** A commit may be deployed long after its push. */
const commitDays = 400

export async function deleteOld(db: Kysely<WebhookTables>, deliveryDays: number): Promise<void> {
  const before = (days: number): Date => new Date(Date.now() - days * dayMs)
  while ((await deleteOldDeliveries(db, before(deliveryDays), portion)) === portion);
  while ((await deleteOldCommits(db, before(commitDays), portion)) === portion);
}
