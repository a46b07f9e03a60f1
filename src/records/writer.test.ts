import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { createRecords } from './index.ts'
import { send } from './testing-records.ts'

const product = await startProduct()
const log = await createLog({ level: 'silent', form: 'json' })
const database = openDatabase(product.target, log)
after(() => database.close())
const events = createEvents(log)
const titles: string[] = []
events.on('activity', ({ title }) => titles.push(title))
const { writer } = createRecords({ database, config: product.config, events, log, version: 'test' })
const groupId = product.first.groupId
const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 16, 10, minute))

test('a report of a deployment that comes again changes nothing and tells nothing', async () => {
  const report = {
    service: 'api',
    source: 'github',
    external_id: '42',
    status: 'succeeded',
    at: at(5),
  } as const
  const first = await writer.upsertDeployment(groupId, report)
  assert.equal(first.outcome, 'created')
  assert.deepEqual(await writer.upsertDeployment(groupId, report), { ...first, outcome: 'unchanged' })
  const late = await writer.upsertDeployment(groupId, { ...report, status: 'started', at: at(1) })
  assert.deepEqual(late, { ...first, outcome: 'changed' })
  const { status, started_at } = await send(product, 'GET', `/api/deployments/${first.id}`, undefined, 200)
  assert.deepEqual([status, started_at], ['succeeded', at(1).toISOString()])
  assert.equal(titles.length, 2)
})

test('reports of one ticket at the same moment make one ticket', async () => {
  const report = { title: 'A bug', source: 'github', external_id: '7', at: at(1), created_at: at(0) } as const
  const statuses = ['open', 'in_progress', 'done', 'open', 'done'] as const
  const made = await Promise.all(
    statuses.map((status, index) => writer.upsertTicket(groupId, { ...report, status, at: at(index) })),
  )
  const [id] = new Set(made.map((each) => each.id))
  assert.equal(new Set(made.map((each) => each.id)).size, 1)
  const ticket = await send(product, 'GET', `/api/tickets/${id}`, undefined, 200)
  assert.deepEqual([ticket.status, ticket.completed_at], ['done', at(4).toISOString()])
})

test('an alert opens and closes an incident of a service that nothing checks, in any order', async () => {
  const { id } = await send(product, 'POST', '/api/services', { name: 'queue' }, 201)
  const state = async () => (await send(product, 'GET', `/api/services/${id}`, undefined, 200)).state
  const alert = { service: 'queue', source: 'alertmanager', cause: 'Queue too long', opened_at: at(0) }
  const fires = { ...alert, external_id: 'a-1', at: at(1), closed_at: null }
  const opened = await writer.upsertIncident(groupId, fires)
  assert.deepEqual([opened?.outcome, await state()], ['created', 'down'])
  const ends = { ...fires, at: at(9), closed_at: at(9) }
  assert.equal((await writer.upsertIncident(groupId, ends))?.outcome, 'changed')
  assert.equal(await state(), 'up')
  assert.equal((await writer.upsertIncident(groupId, fires))?.outcome, 'unchanged')
  assert.equal(await state(), 'up')
  await writer.upsertIncident(groupId, { ...ends, external_id: 'a-2' })
  await writer.upsertIncident(groupId, { ...fires, external_id: 'a-2' })
  assert.equal(await state(), 'up')
  assert.equal(await writer.upsertIncident(groupId, { ...fires, service: 'nobody-knows' }), null)
})
