import { createDeployments } from '../../../src/records/deployments/index.ts'
import { createDevlogs, createLearnings, createSkills } from '../../../src/records/notes/index.ts'
import { createTickets } from '../../../src/records/tickets/index.ts'
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
  answer([ticket])
  await tickets.create(author, { title: 'title', status: 'open', source: 'api' })
  answer([], [ticket], [ticket])
  await tickets.report(id, { title: 'title', status: 'done', source: 'api', external_id: '1', at })

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
}
