import type { Http } from '#kernel/http'
import { authRoutes } from './auth.ts'
import type { RouteDeps } from './deps.ts'
import { groupRoutes } from './groups.ts'
import { keyRoutes } from './keys.ts'
import { meRoutes } from './me.ts'

export function accessRoutes(app: Http, deps: RouteDeps): void {
  authRoutes(app, deps)
  meRoutes(app, deps)
  keyRoutes(app, deps)
  groupRoutes(app, deps)
}
