import type { Kysely } from 'kysely'
import type { AttentionSource } from '#kernel/attention'
import { refusedKeys } from './key-store.ts'
import type { VaultTables } from './tables.ts'

/** Keys that their providers refuse. It is over when a call with the key succeeds, or the key is replaced or off. */
export const refusedKeysSource = (db: Kysely<VaultTables>): AttentionSource => ({
  kind: 'provider_key',
  severity: 'error',
  needs: 'admin',
  several: ({ length }) => ({ title: `${length} provider keys are refused`, path: '/providers' }),
  async find(groupId) {
    const rows = await refusedKeys(db, groupId)
    return rows.map(
      ({ id, name, provider_id: provider, key_suffix: suffix, last_error, last_error_at: since }) => ({
        name: `${provider} “${name}”`,
        title: `The provider key “${name}” (…${suffix}) is refused`,
        detail: (last_error ?? '').slice(0, 200),
        path: `/providers/keys/${id}`,
        since,
      }),
    )
  },
})
