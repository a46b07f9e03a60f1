import type { createApiKeys } from '../api-keys.ts'
import type { AccessDeps } from '../deps.ts'
import type { FirstStart } from '../first-start.ts'
import type { createGroups } from '../groups.ts'
import type { Invitations } from '../invitations.ts'
import type { PasswordAttempts } from '../password-attempts.ts'
import type { People } from '../people.ts'

export interface RouteDeps extends AccessDeps {
  people: People
  passwordAttempts: PasswordAttempts
  apiKeys: ReturnType<typeof createApiKeys>
  groups: ReturnType<typeof createGroups>
  invitations: Invitations
  /** What this process created at its start; undefined in one that did not run the first start. */
  firstStarted: () => FirstStart | undefined
}
