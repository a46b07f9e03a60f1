import { takeUnannounced } from '../../../src/records/announcer.ts'
import { setCommitTimes } from '../../../src/records/deployments/commit-times.ts'
import { createDeployments } from '../../../src/records/deployments/index.ts'
import { createDevlogs, createLearnings, createSkills } from '../../../src/records/notes/index.ts'
import { progressSince } from '../../../src/records/progress.ts'
import { createSearchKinds } from '../../../src/records/search-kinds.ts'
import * as checks from '../../../src/records/services/check-store.ts'
import { listChecks, listRollups } from '../../../src/records/services/history-store.ts'
import { createIncidents } from '../../../src/records/services/incidents.ts'
import { createMaintenance } from '../../../src/records/services/maintenance.ts'
import { createServices } from '../../../src/records/services/services.ts'
import * as pages from '../../../src/records/status-page/store.ts'
import { createTickets } from '../../../src/records/tickets/index.ts'
import { openTicketsOf } from '../../../src/records/tickets/open-tickets.ts'
import { staleTicketsOf } from '../../../src/records/tickets/stale-tickets.ts'
import { createTicketRuns } from '../../../src/records/tickets/ticket-runs.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const author = { groupId: id, userId: null, name: null }
const page = { limit: 50 }
const time = at.toISOString()
const cursor = `${at.getTime().toString(36)}.${id}`
const row = { id, group_id: id, tags: [] }

export const records: Sample = async ({ tables, answer }) => {
  const deps = { db: tables<unknown>(), events: { emit: () => undefined } as never }

  const deployments = createDeployments(deps)
  const deployment = { ...row, status: 'started', status_at: at, started_at: at, finished_at: null }
  answer([])
  await deployments.list(id, page)
  answer([])
  await deployments.list(id, {
    ...page,
    cursor,
    service: 'name',
    environment: 'production',
    status: ['failed'],
    since: time,
    until: time,
  })
  answer([])
  await deployments.list(id, {
    ...page,
    ended_since: time,
    ended_until: time,
    is_production: true,
    is_rework: false,
    is_change_failure: 'true',
  })
  answer([deployment])
  await deployments.get(id, id)
  answer([row], [deployment])
  await deployments.create(author, { service: 'name', status: 'started', source: 'api', incident_id: id })
  answer([], [deployment], [deployment])
  await deployments.report(id, { service: 'name', status: 'failed', source: 'api', external_id: '1', at })
  answer([deployment], [deployment])
  await deployments.change(author, id, { status: 'failed' })
  answer([deployment])
  await deployments.remove(author, id)

  answer([])
  await deps.db.transaction().execute(takeUnannounced)
  await setCommitTimes(deps.db, id, [{ sha: 'sha', committedAt: at }])

  const tickets = createTickets(deps)
  const ticket = {
    ...row,
    status: 'open',
    created_at: at,
    status_at: at,
    last_activity_at: at,
    started_at: null,
  }
  answer([])
  await tickets.list(id, { ...page, status: ['open'], priority: 'high', assignee: 'name', initiative_id: id })
  answer([])
  await tickets.list(id, { ...page, completed_since: time, completed_until: time, stale_days: 14 })
  answer([ticket])
  await tickets.create(author, { title: 'title', status: 'open', source: 'api' })
  answer([], [ticket], [ticket])
  await tickets.report(id, { title: 'title', status: 'done', source: 'api', external_id: '1', at })
  const runs = createTicketRuns(tickets)
  answer([{ run_id: null }])
  await runs.lastRun(deps.db, id, id)
  await runs.takeRun(deps.db, id, id, id)
  const run = { run_id: id, agent_id: 'data-engineer', status: 'completed' }
  await runs.setRun(deps.db, id, id, { ...run, result: 'result' })
  await runs.setRun(deps.db, id, id, { ...run, result: undefined })

  const note = { title: 'title', content: '', tags: [], metadata: {}, author_kind: 'human' as const }
  const devlogs = createDevlogs(deps)
  answer([])
  await devlogs.list(id, { ...page, log_type: 'type', tag: 'tag', author_kind: 'ai', service_id: 'name' })
  answer([], [row])
  await devlogs.create(author, { ...note, log_type: 'type', service_id: 'name' })

  const skills = createSkills(deps)
  answer([])
  await skills.list(id, { ...page, name: 'name' })
  answer([row])
  await skills.create(author, {
    name: 'name',
    description: '',
    content: '',
    tags: [],
    metadata: {},
    author_kind: 'human',
  })

  const learnings = createLearnings(deps)
  answer([])
  await learnings.list(id, { ...page, category: 'category' })
  answer([row])
  await learnings.create(author, { ...note, category: 'category' })

  await services(deps, answer)
  await statusPages(deps.db)
  const [kind] = createSearchKinds(deps.db)
  answer([])
  await kind?.changed(null, 10)
  answer([])
  await kind?.missing([{ id, at }])
}

type Deps = Parameters<typeof createDeployments>[0]

async function services(deps: Deps, answer: (...rows: object[][]) => void): Promise<void> {
  const { db } = deps
  const changed = (): void => undefined
  const kind = createServices({ ...deps, config: { UPSTREAM_PRIVATE: false } as never, changed })
  const service = { ...row, name: 'name', url: null, is_paused: true, interval_s: 60, timeout_ms: 100 }
  answer([])
  await kind.list(id, { ...page, name: 'name', state: ['up'] })
  answer([service], [service])
  await kind.checkNow(id, id)
  answer([{ ...service, url: 'https://example.com', is_paused: false }], [], [service])
  await kind.change(author, id, { is_paused: true })
  answer([{ ...service, url: 'https://example.com', is_paused: false }], [], [], [service])
  await kind.change(author, id, { url: null })

  await checks.claimDue(db, 50)
  const result = { ok: true, status_code: 200, latency_ms: 1, error: null }
  await db.transaction().execute(async (transaction) => {
    await checks.lockForResult(transaction, { id, url: '' } as never, at)
    await checks.insertCheck(transaction, { id, interval_s: 60, in_maintenance: false } as never, at, result)
    await checks.saveHealth(
      transaction,
      id,
      at,
      { state: 'up', failures: 0, passes: 1, incident: 'stays' },
      result,
    )
    await checks.openIncident(transaction, id, { id, group_id: id } as never, 'cause', 3)
    await checks.closeIncident(transaction, id, id, 2)
  })
  await checks.deleteOldChecks(db)
  answer([])
  await listChecks(db, id, { ...page, cursor: '1', since: time, until: time })
  answer([])
  await listRollups(db, id, { ...page, resolution: 'day' })
  answer([])
  await createMaintenance({ ...deps, changed }).list(id, page)

  const incidents = createIncidents(deps)
  answer([])
  await incidents.list(id, page)
  answer([])
  await incidents.list(id, { ...page, cursor, service: 'name', status: 'open', since: time, until: time })
  const incident = { ...row, opened_at: at, closed_at: null, source: 'manual' }
  answer([row], [incident], [incident], [{ ...incident, closed_at: at }])
  await incidents.change(author, id, { note: '', closed_at: time, deployment_id: id })
  answer([{ id }], [incident], [], [incident])
  await incidents.create(author, { service: 'name', cause: 'cause' })
  answer([incident])
  await incidents.remove(author, id)
  const report = {
    service: 'name',
    source: 'alerts',
    external_id: '1',
    cause: '',
    at,
    opened_at: at,
    closed_at: at,
  }
  answer([{ id }], [row], [])
  await incidents.report(id, report)
}

async function statusPages(db: Deps['db']): Promise<void> {
  await pages.findPage(db, id)
  await pages.findEnabledPage(db, 'slug')
  await pages.savePage(db, id, { slug: 'slug', title: '', description: '', is_enabled: true })
  await pages.listPublicServices(db, id)
  await pages.listDays(db, [id], 90)
  await pages.listPublicIncidents(db, [id], 90)
  await pages.listPublicWindows(db, [id])
  for (const ids of [[], [id]])
    await progressSince(db, {
      ...{ groupId: id, initiativeId: id, since: at },
      linked: { deployments: ids, devlogs: ids },
    })
  await openTicketsOf(db, id, [id])
  await staleTicketsOf(db, id, { id, name: 'Ada', email: 'ada@example.com' })
}
