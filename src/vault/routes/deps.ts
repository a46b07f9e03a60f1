import type { ProviderDirectory } from '../deps.ts'
import type { createProviderAccounts } from '../provider-accounts.ts'
import type { createProviderKeys } from '../provider-keys.ts'

export interface RouteDeps {
  accounts: ReturnType<typeof createProviderAccounts>
  keys: ReturnType<typeof createProviderKeys>
  providers: ProviderDirectory
}
