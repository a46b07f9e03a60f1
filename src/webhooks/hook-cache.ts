import type { Kysely } from 'kysely'
import { ReadCache } from '#kernel/cache'
import { isDatabaseDown } from '#kernel/db'
import { Fault, faults, messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { SecretStore } from '#vault'
import type { HookKind } from './contract.ts'
import { activeHook, activeHooks, type HookRow } from './hook-store.ts'
import { toVerifyingKey, type VerifyingKey } from './signatures.ts'
import type { WebhookTables } from './tables.ts'

export interface ActiveHook extends Pick<HookRow, 'id' | 'group_id' | 'kind' | 'deploy_workflows'> {
  verifying: VerifyingKey
}

/** How many hooks a delivery without an ID is tried with. */
const maxTried = 32
const maxKept = 10_000

/** Active hooks with their secrets, in memory: a delivery that nobody signed asks the database nothing. */
export function createHookCache(db: Kysely<WebhookTables>, secrets: SecretStore, log: Log) {
  async function opened(row: HookRow): Promise<ActiveHook[]> {
    try {
      const { id, group_id, kind, deploy_workflows } = row
      const verifying = toVerifyingKey(await secrets.open(group_id, row.secret_id))
      return [{ id, group_id, kind, deploy_workflows, verifying }]
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      // One damaged secret must not keep the other hooks from working.
      log.error({ hookId: row.id, reason: messageOf(error) }, 'the secret of a webhook cannot be decrypted')
      return []
    }
  }

  const cache = new ReadCache<ActiveHook[]>({
    name: 'webhooks',
    max: maxKept,
    async read(key) {
      const [kind, id] = key.split('/') as [HookKind, string | undefined]
      const rows = id === undefined ? await activeHooks(db, kind, maxTried) : [await activeHook(db, kind, id)]
      const hooks = (await Promise.all(rows.flatMap((row) => (row ? opened(row) : [])))).flat()
      // Unknown IDs are kept apart, so that trying many of them pushes no hook out.
      return hooks.length > 0 ? hooks : undefined
    },
    isOutage: isDatabaseDown,
    unavailable: (cause) =>
      new Fault(faults.unavailable, 'The database is unavailable. Deliver this again in a moment.', {
        cause,
        headers: { 'retry-after': '5' },
      }),
  })

  return {
    /** The hooks that a delivery may belong to: the named one, or the first of its kind. */
    async candidates(kind: HookKind, id: string | undefined): Promise<readonly ActiveHook[]> {
      return (await cache.get(id === undefined ? kind : `${kind}/${id.toLowerCase()}`)) ?? []
    },
    invalidate: (): void => cache.invalidate(),
  }
}

export type HookCache = ReturnType<typeof createHookCache>
