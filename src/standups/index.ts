import type { ModelCaller } from '#gateway'
import type { InitiativesPart } from '#initiatives'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import { LogStreams } from '#kernel/event-log'
import type { Events } from '#kernel/events'
import type { Http } from '#kernel/http'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import type { Progress, ProgressQuestion } from '#records'
import { checkLimits, type SessionCalls } from './agent/limits.ts'
import { createDrafting, titleOf } from './drafting.ts'
import { createReadRoute, type WithKey } from './read-route.ts'
import { createResearch } from './research/research.ts'
import type { RouteDeps } from './routes/deps.ts'
import { routes } from './routes/index.ts'
import { createStandupSearchKind } from './search-kind.ts'
import { createSessionLog } from './session-log.ts'
import { createSettling } from './settling.ts'
import { createStandups } from './standups.ts'
import { announceInterrupt, lastStarts, sessionStarts } from './store/session-store.ts'
import type { StandupTables } from './tables.ts'
import { createTurns, stoppedByPerson } from './turns.ts'
import { createViews, type ViewDeps } from './views.ts'

export interface StandupsDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  initiatives: InitiativesPart
  models: ModelCaller
  /** The model that holds stand-ups of a group. */
  defaultModel(groupId: string): Promise<string>
  usage: SessionCalls & Pick<ViewDeps, 'costs'>
  withKey: WithKey
  progress(question: ProgressQuestion): Promise<Progress>
  members: RouteDeps['members']
}

/** What initiatives show of their stand-ups: made before the part, which needs the initiatives. */
export function openStandups(database: Database) {
  const db = database.tables<StandupTables>()
  return {
    /** When the last stand-up of each initiative started. */
    async lastStandups(initiativeIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
      const starts = await lastStarts(db, initiativeIds)
      return new Map(starts.map(({ initiative_id, at }) => [initiative_id, at]))
    },
    /** The newest stand-ups of the initiative, with the key of their requests in the usage log. */
    async costSessions(initiativeId: string): Promise<{ id: string; title: string; key: string }[]> {
      const rows = await sessionStarts(db, initiativeId)
      return rows.map(({ id, started_at }) => ({ id, title: titleOf(started_at), key: id }))
    },
  }
}

/**
 * Stand-ups: a person talks with an agent about an initiative; nothing is saved without approval.
 *
 * @example
 * const { lastStandups } = openStandups(database) // for the initiatives, which come first
 * const standups = createStandupsPart({ ...kernel, initiatives, models: gateway.models, … })
 */
export function createStandupsPart(deps: StandupsDeps): Part {
  const { config, database, log, models, initiatives, usage } = deps
  const { listener } = database
  const db = database.tables<StandupTables>()
  const model = deps.defaultModel
  const limits = { maxCost: config.STANDUP_MAX_COST, maxTokens: config.STANDUP_MAX_TOKENS }
  let http: Http | undefined

  const streams = new LogStreams()
  const sessions = createSessionLog(db)
  const read = createReadRoute(() => http, deps.withKey)
  const research = createResearch({ models, webModel: config.STANDUP_WEB_MODEL })
  const shared = { db, log, sessions, models, usage, limits, research, read }
  const turns = createTurns({ ...shared, initiative: initiatives.get })
  const checkModel = (groupId: string): Promise<void> =>
    model(groupId).then((name) => models.check(groupId, name))
  const standups = createStandups({
    ...{ db, sessions, turns, research, read, initiatives, model, checkModel },
    events: deps.events,
    progress: deps.progress,
    drafting: createDrafting(shared),
    checkLimits: (session) => checkLimits(usage, limits, session),
    announceInterrupt: (id) => announceInterrupt(db, id),
  })
  const settling = createSettling({ db, sessions, standups, writer: initiatives.writer })
  const views = createViews({ db, costs: usage.costs, maxCost: limits.maxCost })

  return {
    name: 'standups',
    role: 'platform',
    searchKinds: [createStandupSearchKind(db)],
    routes(app) {
      http = app
      // Streams and turns stay open: without this, a stop would wait for all of them.
      app.addHook('preClose', async () => {
        streams.stop()
        await turns.stop()
      })
      routes(app, {
        ...{ db, streams, standups, settling, views, initiatives, model, checkModel },
        members: deps.members,
      })
    },
    jobs(jobs) {
      jobs.define('standups.end-idle', () => standups.endIdle(), { cron: '41 * * * *' })
    },
    async start() {
      await streams.start(listener, 'standup_events')
      await listener.on('standup_interrupts', (id) => turns.abort(id, stoppedByPerson()))
      turns.start()
    },
    async stop() {
      streams.stop()
      await turns.stop()
    },
  }
}
