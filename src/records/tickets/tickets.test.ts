import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import { activitiesOf, send } from '../testing-records.ts'
import { fromReport, mergeReport, type TicketRow } from './merge.ts'
import type { TicketReport } from '../writer.ts'

const product = await startProduct()
const path = '/api/tickets'
const post = (json: object, status = 201) => send(product, 'POST', path, json, status)
const patch = (id: string, json: object, status = 200) =>
  send(product, 'PATCH', `${path}/${id}`, json, status)

test('the times of a ticket follow its status', async () => {
  const made = await post({ title: 'Receipts are sent twice', priority: 'high' })
  assert.deepEqual([made.status, made.started_at, made.completed_at], ['open', null, null])
  const begun = await patch(made.id, { status: 'in_progress', assignee: 'ada' })
  assert.ok(begun.started_at !== null && begun.completed_at === null)
  const done = await patch(made.id, { status: 'done' })
  assert.ok(done.completed_at !== null && done.started_at === begun.started_at)
  const reopened = await patch(made.id, { status: 'open' })
  assert.deepEqual([reopened.completed_at, reopened.cancelled_at], [null, null])
  const cancelled = await patch(made.id, { status: 'cancelled' })
  assert.ok(cancelled.cancelled_at !== null && cancelled.completed_at === null)
  const titles = activitiesOf(product).map(({ type, title }) => `${type} ${title}`)
  assert.deepEqual(titles, [
    'ticket Ticket created: Receipts are sent twice',
    'ticket Ticket in progress: Receipts are sent twice',
    'ticket Ticket done: Receipts are sent twice',
    'ticket Ticket open: Receipts are sent twice',
    'ticket Ticket cancelled: Receipts are sent twice',
  ])
})

test('tickets of the past keep their times', async () => {
  const times = { created_at: '2026-10-01T08:00:00.000Z', completed_at: '2026-10-03T08:00:00.000Z' }
  const made = await post({ title: 'Imported', status: 'done', ...times })
  assert.deepEqual([made.created_at, made.completed_at], [times.created_at, times.completed_at])
  assert.equal(made.last_activity_at, times.completed_at)
})

test('what makes no sense is refused by name', async () => {
  const refused = async (json: object, param: string) => {
    const { error } = await post(json, 400)
    assert.equal(error.param, param)
  }
  await refused({ title: '' }, 'title')
  await refused({ title: 'a', status: 'closed' }, 'status')
  await refused({ title: 'a', initiative_id: 'x' }, 'initiative_id')
  await refused({ title: 'a', completed_at: '2026-10-01T08:00:00Z' }, 'completed_at')
  const created_at = '2026-10-02T08:00:00Z'
  await refused(
    { title: 'a', status: 'done', created_at, completed_at: '2026-10-01T08:00:00Z' },
    'completed_at',
  )
  const { id } = await post({ title: 'a', status: 'done' })
  assert.equal((await patch(id, { completed_at: null }, 400)).error.param, 'completed_at')
})

test('a list is filtered by status, assignee and initiative', async () => {
  const initiative = '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'
  await post({ title: 'one', assignee: 'grace', initiative_id: initiative })
  await post({ title: 'two', assignee: 'grace', status: 'done' })
  const list = async (query: string) => {
    const { data } = await send(product, 'GET', `${path}?${query}`, undefined, 200)
    return data.map(({ title }: { title: string }) => title)
  }
  assert.deepEqual(await list('assignee=grace'), ['two', 'one'])
  assert.deepEqual(await list('assignee=grace&status=open,in_progress'), ['one'])
  assert.deepEqual(await list(`initiative_id=${initiative}`), ['one'])
})

const at = (day: number): Date => new Date(Date.UTC(2026, 10, day))
const report = (status: TicketReport['status'], day: number): TicketReport => ({
  title: status,
  source: 'github',
  external_id: '7',
  status,
  at: at(day),
  created_at: at(1),
})

function after(...reports: TicketReport[]): TicketRow {
  const [first, ...rest] = reports
  assert.ok(first)
  return rest.reduce<TicketRow>(
    (row, next) => {
      const defined = Object.entries(mergeReport(row, next)).filter(([, value]) => value !== undefined)
      return { ...row, ...Object.fromEntries(defined) }
    },
    fromReport(first, { id: 't', group_id: 'g' }),
  )
}

test('reports in any order end in the newest status', () => {
  const [open, begun, done] = [report('open', 1), report('in_progress', 2), report('done', 5)]
  for (const order of [
    [open, begun, done],
    [done, begun, open],
    [begun, done, open],
    [done, open, begun],
  ]) {
    const { status, title, started_at, completed_at, last_activity_at } = after(...order)
    assert.deepEqual([status, title], ['done', 'done'])
    assert.deepEqual([started_at, completed_at, last_activity_at], [at(2), at(5), at(5)])
  }
  const reopened = after(open, done, report('open', 6), report('done', 5))
  assert.deepEqual([reopened.status, reopened.completed_at], ['open', null])
})

/** Every order of some values. */
const ordersOf = <T>(values: readonly T[]): T[][] =>
  values.length < 2
    ? [[...values]]
    : values.flatMap((value, index) => ordersOf(values.toSpliced(index, 1)).map((rest) => [value, ...rest]))

test('a ticket that was opened again ended the last time, in whatever order the reports come', () => {
  for (const [end, column] of [
    ['done', 'completed_at'],
    ['cancelled', 'cancelled_at'],
  ] as const) {
    const reports = [
      report('open', 1),
      report('in_progress', 2),
      report(end, 3),
      report('open', 4),
      report(end, 5),
    ]
    for (const order of ordersOf(reports)) {
      const row = after(...order)
      const days = order.map((each) => each.at.getUTCDate()).join(' ')
      assert.deepEqual([row.status, row[column], row.started_at], [end, at(5), at(2)], days)
    }
  }
  const edited = after(report('done', 3), { ...report('done', 5), completed_at: at(3) }, report('open', 2))
  assert.deepEqual([edited.status, edited.completed_at], ['done', at(3)])
})

test('a ticket that was cancelled long ago is imported with its time', async () => {
  const sent = {
    title: 'Imported',
    status: 'cancelled',
    created_at: '2020-01-01T00:00:00Z',
    cancelled_at: '2020-02-01T00:00:00Z',
  }
  const made = await send(product, 'POST', '/api/tickets', sent, 201)
  assert.deepEqual(
    [made.cancelled_at, made.last_activity_at],
    ['2020-02-01T00:00:00.000Z', '2020-02-01T00:00:00.000Z'],
  )
  const refused = async (json: object, param: string) => {
    const { error } = await send(product, 'POST', '/api/tickets', { title: 't', ...json }, 400)
    assert.equal(error.param, param)
  }
  await refused({ status: 'done', cancelled_at: '2020-02-01T00:00:00Z' }, 'cancelled_at')
  await refused({ ...sent, cancelled_at: '2019-01-01T00:00:00Z' }, 'cancelled_at')
  const path = `/api/tickets/${made.id}`
  const moved = await send(product, 'PATCH', path, { cancelled_at: '2020-03-01T00:00:00Z' }, 200)
  assert.equal(moved.cancelled_at, '2020-03-01T00:00:00.000Z')
})

test('records that are sent later are events of the time at which they happened', async () => {
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
  const [recent, old] = [daysAgo(2), '2020-01-01T00:00:00.000Z']
  await send(product, 'POST', '/api/tickets', { title: 'Late ticket', created_at: recent }, 201)
  await send(product, 'POST', '/api/devlogs', { title: 'Late devlog', content: '', created_at: recent }, 201)
  const deployment = { service: 'late', status: 'succeeded', started_at: recent, finished_at: recent }
  await send(product, 'POST', '/api/deployments', deployment, 201)
  await send(product, 'POST', '/api/tickets', { title: 'Late and too old', created_at: old }, 201)
  const found = await waitFor('the events', async () => {
    const { data } = await send(product, 'GET', '/api/console/events?limit=1000', undefined, 200)
    const late = (data as { title: string; created_at: string; metadata: object }[]).filter(({ title }) =>
      /late/i.test(title),
    )
    return late.length === 4 && late
  })
  const timeOf = (words: string) => found.find(({ title }) => title.includes(words))?.created_at
  for (const words of ['Late ticket', 'Late devlog', 'Deployment of late'])
    assert.equal(timeOf(words), recent)
  // Older than what the console keeps: it has the earliest time there is, and says which it had.
  const tooOld = found.find(({ title }) => title.includes('too old'))
  assert.ok(tooOld && tooOld.created_at < daysAgo(1), tooOld?.created_at)
  assert.equal((tooOld.metadata as { original_time?: string }).original_time, old)
})
