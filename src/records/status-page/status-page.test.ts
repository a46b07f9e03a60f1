import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { keyWith, send } from '../testing-records.ts'

const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())
const settings = { slug: 'example', title: 'Example status', is_enabled: true }
const setPage = (json: object) => product.call('/api/status-page', { method: 'PUT', json })
/** As somebody without any credentials. */
const visit = (slug: string) => fetch(`${product.url}/api/status/${slug}`)

test('there is no page until an owner switches it on, and none after it is switched off', async () => {
  assert.equal((await visit('example')).status, 404)
  const { json } = await product.call('/api/status-page')
  assert.deepEqual([json.slug, json.is_enabled], [null, false])
  assert.equal((await setPage({ ...settings, is_enabled: false })).status, 200)
  assert.equal((await visit('example')).status, 404)
  assert.equal((await setPage(settings)).status, 200)
  const shown = await visit('example')
  assert.deepEqual([shown.status, shown.headers.get('cache-control')], [200, 'public, max-age=15'])
  assert.equal((await setPage({ ...settings, is_enabled: false })).status, 200)
  assert.equal((await visit('example')).status, 404)
})

test('only owners switch it, and an address belongs to one group', async () => {
  const key = await keyWith(product, ['read', 'events'])
  assert.equal((await product.call('/api/status-page', { key, method: 'PUT', json: settings })).status, 403)
  await setPage(settings)
  const group = await product.call('/api/v1/groups', { json: { name: 'Other' } })
  const json = { ...settings, group_id: group.json.id as string }
  const taken = await setPage(json)
  assert.deepEqual([taken.status, taken.json.error.param], [409, 'slug'])
  assert.equal((await setPage({ ...settings, slug: 'No spaces' })).status, 400)
})

test('it shows 90 days of public services and nothing else', async () => {
  const secret = 'http://internal.example.com/healthz?token=hidden'
  const shown = { name: 'shop', title: 'Shop', is_public: true, url: secret, is_paused: true }
  const service = await send(product, 'POST', '/api/services', shown, 201)
  await send(product, 'POST', '/api/services', { name: 'hidden-service' }, 201)
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)
  for (const [days, ok, failed, maintenance] of [
    [0, 90, 10, 0],
    [2, 100, 0, 0],
    [3, 0, 0, 20],
    [95, 0, 100, 0],
  ] as const)
    await database.pool.query(
      `insert into records.health_rollups
       values ($1, 'day', date_trunc('day', $2::timestamptz, 'UTC'), $3, $4, $5, 0, 0, null)`,
      [service.id, daysAgo(days), ok, failed, maintenance],
    )
  await database.pool.query(
    `insert into records.incidents (id, group_id, service_id, opened_at, closed_at, cause, note, source)
     values (gen_random_uuid(), $1, $2, $3, $4, 'hidden cause', 'hidden note', 'health_check')`,
    [service.group_id, service.id, daysAgo(2), daysAgo(1)],
  )
  await setPage(settings)
  const text = await (await visit('example')).text()
  assert.ok(!text.includes('hidden') && !text.includes('internal') && !text.includes(service.id), text)
  const page = JSON.parse(text)
  const [shop] = page.services
  assert.deepEqual([page.services.length, shop.name, shop.days.length], [1, 'shop', 90])
  // 190 of 200 checks passed; those in maintenance and before the 90 days do not count.
  assert.equal(shop.uptime, 0.95)
  const uptimes = shop.days.slice(-4).map(({ uptime }: { uptime: number | null }) => uptime)
  assert.deepEqual(uptimes, [null, 1, null, 0.9])
  assert.deepEqual(shop.days.at(-1).date, new Date().toISOString().slice(0, 10))
  assert.equal(shop.days.at(-3).incidents, 1)
  assert.deepEqual(Object.keys(page.incidents[0]).toSorted(), ['closed_at', 'opened_at', 'service'])
  // Nobody knows how a paused service is, and that is not good.
  assert.deepEqual([page.state, shop.state], ['unknown', 'unknown'])
  await send(product, 'PATCH', `/api/services/${service.id}`, { is_public: false }, 200)
  assert.deepEqual(((await (await visit('example')).json()) as { services: unknown[] }).services, [])
})

test('the uptime is of the time that was checked, and reported incidents count', async () => {
  const shown = { name: 'partly', title: 'Partly', is_public: true, description: 'What it does' }
  const service = await send(product, 'POST', '/api/services', shown, 201)
  const unchecked = await send(
    product,
    'POST',
    '/api/services',
    { name: 'never', title: 'Never checked', is_public: true },
    201,
  )
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  // 600 checks of 60 s each: ten hours.
  await database.pool.query(
    `insert into records.health_rollups values ($1, 'day', $2, 600, 0, 0, 0, 0, null)`,
    [service.id, `${yesterday}T00:00:00Z`],
  )
  const visited = async (name: string) => {
    // Saving the settings makes the page forget what it kept.
    await setPage(settings)
    const page = (await (await visit('example')).json()) as { state: string; services: { name: string }[] }
    // oxlint-disable-next-line typescript/no-explicit-any
    return { page, shown: page.services.find((each) => each.name === name) as any }
  }
  const before = await visited('partly')
  assert.deepEqual([before.shown.uptime, before.shown.checked_seconds], [1, 36_000])
  assert.deepEqual([(await visited('never')).shown.uptime, before.shown.description], [null, 'What it does'])
  const report = (json: object) =>
    send(product, 'POST', '/api/incidents', { service: 'partly', cause: 'Reported', ...json }, 201)
  // Two reports of the same two hours, and one of them also seen by the checks for the second hour.
  const hour = (n: number): string => `${yesterday}T0${n}:00:00Z`
  await report({ opened_at: hour(2), closed_at: hour(4) })
  await report({ opened_at: hour(3), closed_at: hour(4) })
  await database.pool.query(
    `insert into records.incidents (group_id, service_id, opened_at, closed_at, cause, source)
     values ($1, $2, $3, $4, 'seen', 'health_check')`,
    [service.group_id, service.id, hour(3), hour(4)],
  )
  const after = await visited('partly')
  // One hour of ten was reported and not seen by a check.
  assert.equal(after.shown.uptime, 0.9)
  assert.deepEqual([after.shown.days.at(-2).uptime, after.shown.days.at(-2).incidents], [0.9, 3])
  await send(product, 'POST', '/api/incidents', { service: 'never', cause: 'Down' }, 201)
  const open = await visited('never')
  assert.deepEqual([open.shown.state, open.page.state, open.shown.uptime], ['down', 'down', null])
  assert.equal(open.shown.days.at(-1).incidents, 1)
  for (const id of [service.id, unchecked.id])
    await send(product, 'PATCH', `/api/services/${id}`, { is_public: false }, 200)
})
