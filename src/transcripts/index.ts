import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import { callRoutes } from './calls/routes.ts'
import { createDeriver } from './derive/index.ts'
import { createIngest } from './ingest/ingest.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { readRoutes } from './read/routes.ts'
import type { SessionCosts } from './read/session-costs.ts'
import { createTranscriptSearchKind } from './search-kind.ts'
import type { WatcherReport } from './segment.ts'
import { saveWatcher } from './store/read-store.ts'
import { ensureGroup } from './store/source-store.ts'
import { reportToWire } from './wire.ts'

export interface TranscriptsDeps {
  config: Config
  database: Database
  log: Log
  /** What the sessions' requests cost. */
  sessionUsage?: SessionCosts
}

/** The archive of coding assistants' sessions: what watchers send, and the routes that show it. */
export function createTranscripts(deps: TranscriptsDeps): Part {
  const { config, database } = deps
  const { pool } = database
  const deriver = createDeriver()
  const ingest = createIngest({ pool, deriver, redact: config.TRANSCRIPTS_REDACT !== 'off' })

  async function report(groupId: string, status: WatcherReport): Promise<void> {
    await saveWatcher(pool, await ensureGroup(pool, groupId), status.machine, reportToWire(status))
  }

  return {
    name: 'transcripts',
    searchKinds: [createTranscriptSearchKind(pool)],
    routes(app) {
      if (!config.ROLES.has('platform')) return
      ingestRoutes(app, { ingest, report })
      readRoutes(app, { pool, usage: deps.sessionUsage ?? null })
      callRoutes(app, { pool, usage: deps.sessionUsage ?? null })
    },
    stop: () => deriver.close(),
  }
}
