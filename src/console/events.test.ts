import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import { list, openTail, sample, send, titles } from './testing.ts'

const server = await startProduct()
const { call, key } = server

test('an event comes back from the list, by its id, from the search and in the statistics', async () => {
  const sent = {
    type: 'deployment',
    severity: 'warning',
    service: 'payments',
    source: 'deployments',
    title: 'Deployed payments',
    message: 'The zebra migration took 74 s.',
    metadata: { commit: '9fceb02' },
  }
  const { status, json } = await call('/api/console/events', { key, json: sent })
  assert.equal(status, 202)
  assert.equal(json.accepted, 1)
  const [id] = json.ids as string[]
  const [event] = await list(server, '?service=payments')
  assert.deepEqual(
    { ...event, sequence: 0, created_at: '' },
    { ...sent, id, sequence: 0, created_at: '', group_id: server.first.groupId },
  )
  assert.ok(Math.abs(Date.now() - Date.parse(event?.created_at ?? '')) < 10_000)
  assert.deepEqual((await call(`/api/console/events/${id}`, { key })).json, event)
  const found = await call('/api/console/search?q=zebra', { key })
  assert.equal(found.json.data[0].id, id)
  assert.equal(found.json.data[0].highlight, 'Deployed payments\nThe <mark>zebra</mark> migration took 74 s.')
  const stats = await call('/api/console/stats?service=payments', { key })
  assert.equal(stats.json.hours, 24)
  assert.equal(stats.json.total, 1)
  assert.deepEqual(stats.json.by_type, { deployment: 1 })
  assert.deepEqual(stats.json.by_severity, { warning: 1 })
  assert.deepEqual(stats.json.by_service, { payments: 1 })
  assert.equal(stats.json.timeline.at(-1).count, 1)
  assert.equal(stats.json.timeline.at(-1).errors, 0)
})

test('the stream brings events in order and resumes behind the last one, without gap or repeat', async () => {
  const tail = await openTail(server, '?source=resumed')
  await send(server, sample('one', { source: 'resumed' }), sample('two', { source: 'resumed' }))
  await send(server, sample('another', { source: 'other' }), sample('three', { source: 'resumed' }))
  await waitFor('three events', () => tail.events.length === 3)
  assert.deepEqual(tail.titles(), ['one', 'two', 'three'])
  assert.deepEqual(titles(await list(server, '?source=resumed')), ['three', 'two', 'one'])
})
