import { Secret, type Log } from '#kernel/log'
import { keyValue, shortestKey } from './contract.ts'
import type { createProviderAccounts } from './provider-accounts.ts'
import type { createProviderKeys } from './provider-keys.ts'

interface Deps {
  accounts: ReturnType<typeof createProviderAccounts>
  keys: ReturnType<typeof createProviderKeys>
  log: Log
}

export interface FoundKey {
  providerId: string
  key: Secret
}

/** Stores the provider keys given in the environment at first start. An invalid one is logged and skipped: it must not stop the start. */
export async function takeFromEnvironment(
  { accounts, keys, log }: Deps,
  groupId: string,
  found: readonly FoundKey[],
): Promise<void> {
  for (const { providerId, key } of found) {
    const { success, data = '' } = keyValue.safeParse(key.reveal())
    if (!success || data.length < shortestKey) {
      log.warn({ provider: providerId }, 'the provider key in the environment is not valid and was left out')
      continue
    }
    if (await keys.hasKeysFor(groupId, providerId)) continue
    const account = await accounts.useDefault(groupId, providerId)
    await keys.addForSystem(account, { key: new Secret(data), name: 'From the environment' })
    log.info({ provider: providerId, suffix: key.suffix }, 'a provider key was taken from the environment')
  }
}
