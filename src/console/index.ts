import { randomUUID } from 'node:crypto'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import { severities } from './contract.ts'
import type { EventDraft } from './event.ts'
import { dayMs } from './event-id.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { newEvent } from './new-event.ts'
import { otlpRoutes } from './otlp/routes.ts'
import { listen } from './producers.ts'
import { readRoutes } from './read-routes.ts'
import { reporterRoutes } from './reporter/routes.ts'
import { createErrorSearchKind } from './search-kind.ts'
import { deleteOfDeletedGroups } from './store/deleted-groups.ts'
import { deleteBefore, ensureDays, keptFrom } from './store/partitions.ts'
import { StreamHub } from './stream/hub.ts'
import { streamRoutes } from './stream/routes.ts'
import { viewRoutes } from './view-routes.ts'
import type { OfferedEvent } from './waiting.ts'
import { EventWriter } from './writer.ts'

export interface ConsoleDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  /** The group that sees what concerns the whole installation. */
  firstGroup(): Promise<string>
  heartbeatMs?: number
}

/**
 * The event console. Every process collects what its own parts report; processes with the role `platform` also serve
 * the routes.
 *
 * @example
 * parts.push(createConsole({ ...kernel, firstGroup: access.firstGroupId }))
 * events.emit('api_key.created', { groupId, by: userId, keyId, name: 'CI' }) // now a row of the console
 */
export function createConsole(deps: ConsoleDeps): Part {
  const { config, database, events, log } = deps
  const { pool, listener } = database
  const sender = randomUUID()
  const hub = new StreamHub({ pool, log, heartbeatMs: deps.heartbeatMs ?? 15_000 })
  const kept = (): number => keptFrom(Date.now(), config.CONSOLE_RETENTION_DAYS)
  const writer = new EventWriter({
    pool,
    log,
    sender,
    onStored: (stored) => hub.publish(stored),
    onUnknown: () => hub.check(),
    firstGroup: deps.firstGroup,
    lossEvent,
  })
  let stopListening = (): void => undefined

  async function accept(groupId: string, drafts: readonly EventDraft[]) {
    const limit = kept()
    const given = drafts.map((draft) => newEvent(draft, groupId, limit))
    const ids = await writer.store(given)
    return { ids, duplicates: ids.filter((id, index) => id !== given[index]?.id).length }
  }

  async function forgetOld(): Promise<void> {
    const { tables } = await deleteBefore(pool, kept(), Date.now())
    if (tables > 0) log.info({ tables }, 'old console events were deleted')
    const groups = await deleteOfDeletedGroups(pool)
    if (groups > 0) log.info({ groups }, 'console events of deleted groups were deleted')
  }

  const prepareDays = (): Promise<void> => ensureDays(pool, [Date.now(), Date.now() + dayMs])

  return {
    name: 'console',
    searchKinds: [createErrorSearchKind(pool, kept)],
    routes(app) {
      if (!config.ROLES.has('platform')) return
      readRoutes(app, pool)
      streamRoutes(app, pool, hub)
      viewRoutes(app, pool)
      const ingest = { maxBytes: config.MAX_BODY_BYTES, accept }
      ingestRoutes(app, ingest)
      otlpRoutes(app, ingest)
      reporterRoutes(app, { pool, accept, publicUrl: config.PUBLIC_URL })
    },
    jobs(jobs) {
      jobs.define('console.prepare-tables', prepareDays, { cron: '11 * * * *' })
      jobs.define('console.forget-old', forgetOld, { cron: '37 * * * *', atStart: true })
    },
    async start() {
      // A missing table is made when an event needs it, so this need not keep anyone from starting.
      await prepareDays().catch((error: unknown) =>
        log.warn({ error }, 'the tables of the console were not prepared'),
      )
      await listener.on(
        'console_lanes',
        (payload) => {
          const [from, groupId = '', sequence] = payload.split(' ')
          if (from !== sender) hub.advance(groupId, Number(sequence))
        },
        () => hub.check(),
      )
      // After the caches of keys have heard it too.
      const recheck = (): void => void setImmediate(() => hub.recheck())
      await listener.on('access_changed', recheck, recheck)
      hub.start()
      stopListening = listen(events, (draft, groupId) => writer.offer(offered(draft, groupId, kept())))
    },
    async stop() {
      stopListening()
      hub.stop()
      await writer.stop()
    },
  }
}

function offered(draft: EventDraft, groupId: string | null, limit: number): OfferedEvent {
  return { ...newEvent(draft, groupId ?? '', limit), groupId }
}

/** After an outage that was longer than the memory for events. */
function lossEvent(lost: number): OfferedEvent {
  const draft: EventDraft = {
    at: null,
    sent: null,
    type: 'error',
    severity: severities.indexOf('warning'),
    source: 'platform',
    service: null,
    title: `${lost} console events were not stored`,
    message: 'The database was unavailable, and more events came than are kept in memory.',
    metadata: { lost },
  }
  return offered(draft, null, 0)
}
