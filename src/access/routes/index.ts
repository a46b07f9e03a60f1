import type { Http } from '#kernel/http'
import type { Secret } from '#kernel/log'
import type { createApiKeys } from '../api-keys.ts'
import type { AccessDeps } from '../deps.ts'
import type { createGroups } from '../groups.ts'
import type { Invitations } from '../invitations.ts'
import type { People } from '../people.ts'
import { authRoutes } from './auth.ts'
import { groupRoutes } from './groups.ts'
import { keyRoutes } from './keys.ts'
import { meRoutes } from './me.ts'

export interface RouteDeps extends AccessDeps {
  people: People
  apiKeys: ReturnType<typeof createApiKeys>
  groups: ReturnType<typeof createGroups>
  invitations: Invitations
  firstKey: () => Secret | null
}

export function accessRoutes(app: Http, deps: RouteDeps): void {
  authRoutes(app, deps)
  meRoutes(app, deps)
  keyRoutes(app, deps)
  groupRoutes(app, deps)
}
