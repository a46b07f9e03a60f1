import type { ModelCaller } from '#gateway'
import type { Config } from '#kernel/config'
import { isValueRefused, type Database } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import { callRoutes } from './calls/routes.ts'
import { createDeriver } from './derive/index.ts'
import { deriveAgain } from './ingest/derive-again.ts'
import { eraseSession } from './ingest/erase.ts'
import { createIngest } from './ingest/ingest.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { fileRoutes } from './read/file-routes.ts'
import { readRoutes } from './read/routes.ts'
import type { SessionCosts } from './read/session-costs.ts'
import { createTranscriptSearch } from './search/index.ts'
import { createTranscriptSearchKind } from './search-kind.ts'
import type { Sink, WatcherReport } from './segment.ts'
import { sweepErased } from './store/erase-store.ts'
import { saveWatcher, sessionKeys } from './store/read-store.ts'
import { ensureGroup } from './store/source-store.ts'
import { createModelSummaries } from './summary/by-model.ts'
// Not through the folder's door: signalbox watch would load the database with it.
import { SegmentRefused } from './watcher/errors.ts'
import { createWatcherPart } from './watcher/part.ts'
import { reportToWire } from './protocol.ts'

export interface TranscriptsDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  version: string
  /** The group that owns the sessions of the server's own machine. */
  firstGroup(): Promise<string>
  /** What the sessions' requests cost. */
  sessionUsage?: SessionCosts
  /** Asked for summaries, where a model is set. */
  models: ModelCaller
}

export interface Transcripts extends Part {
  /** Follows the sessions of this machine. */
  watcher: Part
  /** How requests in the usage log name these sessions; those that are not there are left out. */
  sessionKeys(groupId: string, ids: readonly string[]): Promise<readonly { id: string; key: string }[]>
}

/**
 * The archive of coding assistants' sessions: what watchers send, and the routes that show it.
 *
 * @example
 * const transcripts = createTranscripts({ ...kernel, models: gateway.models, firstGroup })
 * parts.push(transcripts, transcripts.watcher)
 */
export function createTranscripts(deps: TranscriptsDeps): Transcripts {
  const { config, database } = deps
  const { pool } = database
  const deriver = createDeriver()
  const search = createTranscriptSearch({ pool, deriver })
  const ingest = createIngest({ pool, deriver, search, redact: config.TRANSCRIPTS_REDACT !== 'off' })

  async function report(groupId: string, status: WatcherReport, userId: string | null): Promise<void> {
    await saveWatcher(pool, await ensureGroup(pool, groupId), status.machine, reportToWire(status), userId)
  }

  async function openSink(): Promise<Sink> {
    const group = await deps.firstGroup()
    return {
      position: (source) => ingest.position(group, source),
      async take(segment) {
        try {
          return await ingest.take(group, segment)
        } catch (error) {
          throw isValueRefused(error) ? new SegmentRefused(messageOf(error)) : error
        }
      },
      files: (root, cursor) => ingest.files(group, root, cursor),
      missing: (source) => ingest.missing(group, source),
      report: (status) => report(group, status, null),
    }
  }

  async function readAgain(): Promise<void> {
    const sources = await deriveAgain({ pool, deriver, search, log: deps.log })
    if (sources > 0) deps.log.info({ sources }, 'sessions were derived again by a newer parser')
  }

  async function sweep(): Promise<void> {
    while (await sweepErased(pool));
  }

  return {
    name: 'transcripts',
    searchKinds: [createTranscriptSearchKind(pool)],
    sessionKeys: (groupId, ids) => sessionKeys(pool, groupId, ids),
    watcher: createWatcherPart({ ...deps, openSink }),
    routes(app) {
      if (!config.ROLES.has('platform')) return
      ingestRoutes(app, { ingest, report })
      const usage = deps.sessionUsage ?? null
      readRoutes(app, { pool, search, usage })
      callRoutes(app, { pool, usage })
      fileRoutes(app, { pool, usage, erase: (session) => eraseSession({ pool, deriver, search }, session) })
    },
    jobs(jobs) {
      jobs.define('transcripts.derive-again', readAgain, { cron: '* * * * *' })
      jobs.define('transcripts.sweep', sweep, { cron: '23 * * * *' })
      const model = config.TRANSCRIPTS_SUMMARY_MODEL
      if (model === undefined) return
      const summarize = createModelSummaries({ ...deps, db: pool, model })
      jobs.define('transcripts.summarize', summarize, { cron: '*/5 * * * *' })
    },
    async stop() {
      await search.close()
      await deriver.close()
    },
  }
}
