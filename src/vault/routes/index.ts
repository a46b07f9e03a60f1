import type { Http } from '#kernel/http'
import type { ProviderDirectory } from '../deps.ts'
import type { createProviderAccounts } from '../provider-accounts.ts'
import type { createProviderKeys } from '../provider-keys.ts'
import { accountRoutes } from './accounts.ts'
import { keyRoutes } from './keys.ts'
import { providerRoutes } from './providers.ts'

export interface RouteDeps {
  accounts: ReturnType<typeof createProviderAccounts>
  keys: ReturnType<typeof createProviderKeys>
  providers: ProviderDirectory
}

export function vaultRoutes(app: Http, deps: RouteDeps): void {
  providerRoutes(app, deps)
  accountRoutes(app, deps)
  keyRoutes(app, deps)
}
