import type { Http } from '#kernel/http'
import { accountRoutes } from './accounts.ts'
import type { RouteDeps } from './deps.ts'
import { keyRoutes } from './keys.ts'
import { providerRoutes } from './providers.ts'

export function vaultRoutes(app: Http, deps: RouteDeps): void {
  providerRoutes(app, deps)
  accountRoutes(app, deps)
  keyRoutes(app, deps)
}
