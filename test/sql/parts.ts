import { access } from './samples/access.ts'
import { agents } from './samples/agents.ts'
import { analytics } from './samples/analytics.ts'
import { console } from './samples/console.ts'
import { embeddings } from './samples/embeddings.ts'
import { gateway } from './samples/gateway.ts'
import { initiatives } from './samples/initiatives.ts'
import { limits } from './samples/limits.ts'
import { linkQueries } from './samples/links.ts'
import { notificationQueries } from './samples/notifications.ts'
import { records } from './samples/records.ts'
import { search } from './samples/search.ts'
import { sql } from './samples/sql.ts'
import { standups } from './samples/standups.ts'
import { transcripts } from './samples/transcripts.ts'
import { usage } from './samples/usage.ts'
import { vault } from './samples/vault.ts'
import { webhooks } from './samples/webhooks.ts'
import type { Sample } from './snapshot.ts'

/** The parts that send SQL. */
export const parts: Record<string, Sample> = {
  access,
  agents,
  analytics,
  console,
  embeddings,
  gateway,
  initiatives,
  limits,
  links: linkQueries,
  notifications: notificationQueries,
  records,
  search,
  sql,
  standups,
  transcripts,
  usage,
  vault,
  webhooks,
}
