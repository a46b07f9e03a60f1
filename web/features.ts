import { account } from './features/account/feature.ts'
import { agents } from './features/agents/feature.ts'
import { alerts } from './features/alerts/feature.ts'
import { analytics } from './features/analytics/feature.ts'
import { eventConsole } from './features/console/feature.ts'
import { docs } from './features/docs/feature.ts'
import { embeddings } from './features/embeddings/feature.ts'
import { groups } from './features/groups/feature.ts'
import { home } from './features/home/feature.ts'
import { initiatives } from './features/initiatives/feature.ts'
import { keys } from './features/keys/feature.ts'
import { limits } from './features/limits/feature.ts'
import { links } from './features/links/feature.ts'
import { logs } from './features/logs/feature.ts'
import { notifications } from './features/notifications/feature.ts'
import { playground } from './features/playground/feature.ts'
import { providers } from './features/providers/feature.ts'
import { records } from './features/records/feature.ts'
import { routes } from './features/routes/feature.ts'
import { search } from './features/search/feature.ts'
import { settings } from './features/settings/feature.ts'
import { sql } from './features/sql/feature.ts'
import { standups } from './features/standups/feature.ts'
import { transcripts } from './features/transcripts/feature.ts'
import { usage } from './features/usage/feature.ts'

/** All features, in the order of the navigation. A new feature adds one line. */
export const features = [
  home,
  account,
  providers,
  keys,
  limits,
  playground,
  routes,
  logs,
  usage,
  embeddings,
  docs,
  records,
  eventConsole,
  alerts,
  analytics,
  initiatives,
  standups,
  agents,
  transcripts,
  links,
  sql,
  search,
  groups,
  settings,
  notifications,
]
