import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import { startProduct } from '#test/product'
import { notification, openSender } from './testing-notifications.ts'

const product = await startProduct()
const groupId = product.first.groupId
const sender = await openSender(product)
const { json: other } = await product.call('/api/v1/groups', { json: { name: 'Other' } })
for (const title of ['first', 'second', 'third']) await sender.send(notification(groupId, { title }))
await sender.send(notification(other.id, { title: 'of another group' }))

const titles = (answer: { json: { data: { title: string }[] } }): string[] =>
  answer.json.data.map(({ title }) => title)

test('people see the notifications of their group, newest first, page by page', async () => {
  const viewer = await personWith(product, 'viewer')
  const first = await viewer('/api/v1/notifications?limit=2')
  assert.deepEqual(titles(first), ['third', 'second'])
  assert.equal(first.json.unread, 3)
  const { id, at, last_at, ...item } = first.json.data[0]
  assert.equal(at, last_at)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(item, {
    alert_id: null,
    kind: 'service_down',
    severity: 'error',
    state: 'firing',
    title: 'third',
    text: '3 health checks in a row failed.',
    path: '/services',
    count: 1,
    is_read: false,
  })
  const rest = await viewer(`/api/v1/notifications?limit=2&cursor=${first.json.next_cursor}`)
  assert.deepEqual(titles(rest), ['first'])
  assert.equal(rest.json.next_cursor, null)
  assert.equal((await viewer(`/api/v1/notifications?group_id=${other.id}`)).status, 404)
})

test('what one person has read stays unread for others, and only in their group', async () => {
  const [ada, ben] = await Promise.all([personWith(product, 'member'), personWith(product, 'member')])
  const { json } = await ada('/api/v1/notifications')
  const [, second, first] = json.data
  const of = await product.call(`/api/v1/notifications?group_id=${other.id}`)
  const read = (body: object) => ada('/api/v1/notifications/read', { json: body })
  assert.deepEqual((await read({ ids: [first.id, of.json.data[0].id] })).json, { unread: 2 })
  assert.deepEqual((await read({ up_to: second.id })).json, { unread: 1 })
  const shown = (await ada('/api/v1/notifications')).json.data as { is_read: boolean }[]
  assert.deepEqual(
    shown.map(({ is_read }) => is_read),
    [false, true, true],
  )
  assert.deepEqual((await read({})).json, { unread: 0 })
  assert.equal((await ben('/api/v1/notifications')).json.unread, 3)
  assert.equal((await product.call(`/api/v1/notifications?group_id=${other.id}`)).json.unread, 1)
})

test('a key reads as the person who made it', async () => {
  const person = await personWith(product, 'admin')
  const key = await keyWith(product, ['read'], person)
  assert.equal((await key('/api/v1/notifications')).json.unread, 3)
  await person('/api/v1/notifications/read', { json: {} })
  assert.equal((await key('/api/v1/notifications')).json.unread, 0)
  const without = await keyWith(product, ['gateway'])
  assert.equal((await without('/api/v1/notifications')).status, 403)
})
