import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startProduct, type Product } from '#test/product'
import { waitFor } from '#test/wait'
import { activitiesOf, send } from '../testing-records.ts'

/** The service that is checked: what it answers, and how often it was asked. */
const checked = { status: 200, requests: 0, hang: false, agents: new Set<string>() }
const server = createServer((request, response) => {
  checked.requests += 1
  checked.agents.add(request.headers['user-agent'] ?? '')
  if (checked.hang) return
  const isRedirect = request.url === '/redirect'
  response.writeHead(isRedirect ? 302 : checked.status, isRedirect ? { location: '/healthz' } : {})
  // Longer than any buffer, and never ended: a check must not wait for it.
  if (request.url === '/endless') response.write('x'.repeat(1_000_000))
  else response.end('ok')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const product = await startProduct({ UPSTREAM_PRIVATE: '1' })
const own = { url: `${address}/healthz`, allow_private: true, interval_s: 86_400 }

interface Checked {
  id: string
  state: string
  last_checked_at: string | null
  last_error: string | null
  [field: string]: unknown
}

const get = (id: string, from: Product = product): Promise<Checked> =>
  send(from, 'GET', `/api/services/${id}`, undefined, 200)

/** A service after its first check. */
async function add(fields: object): Promise<Checked> {
  const { id } = await send(product, 'POST', '/api/services', { ...own, ...fields }, 201)
  return waitFor('the first check', async () => {
    const service = await get(id)
    return service.last_checked_at !== null && service
  })
}

/** Checks it so often, one after the other, and returns its states. */
async function check(id: string, times: number): Promise<string[]> {
  const states: string[] = []
  for (let count = 0; count < times; count++) {
    const before = await get(id)
    await send(product, 'POST', `/api/services/${id}/check`, undefined, 202)
    const service = await waitFor('a check', async () => {
      const now = await get(id)
      return now.last_checked_at !== before.last_checked_at && now
    })
    states.push(service.state)
  }
  return states
}

test('a service is checked as soon as it is added, and its latency is recorded', async () => {
  const service = await add({ name: 'first' })
  assert.deepEqual([service.state, service.last_error, service['last_status_code']], ['up', null, 200])
  assert.ok(Number(service['last_latency_ms']) >= 0)
  assert.ok([...checked.agents].every((agent) => /^Signalbox\/[\d.]+ \(health check\)$/.test(agent)))
  const { data } = await send(product, 'GET', `/api/services/${service.id}/checks`, undefined, 200)
  assert.deepEqual(
    data.map(({ ok, in_maintenance }: { ok: boolean; in_maintenance: boolean }) => [ok, in_maintenance]),
    [[true, false]],
  )
})

test('three failures open an incident from the first of them on, two passes close it', async () => {
  const { id } = await add({ name: 'flaky' })
  checked.status = 503
  assert.deepEqual(await check(id, 3), ['up', 'up', 'down'])
  checked.status = 200
  assert.deepEqual(await check(id, 2), ['down', 'up'])
  const { data } = await send(product, 'GET', '/api/incidents?service=flaky', undefined, 200)
  assert.equal(data.length, 1)
  const checks = (await send(product, 'GET', `/api/services/${id}/checks`, undefined, 200)).data
  // Newest first: two passes, three failures, the pass at the beginning.
  assert.deepEqual([data[0].opened_at, data[0].closed_at], [checks[4].at, checks[1].at])
  assert.deepEqual([data[0].cause, data[0].source], ['Expected status 200, received 503.', 'health_check'])
  const sums = (await send(product, 'GET', `/api/services/${id}/history?resolution=day`, undefined, 200)).data
  const total = (name: string) =>
    sums.reduce((sum: number, row: Record<string, number>) => sum + (row[name] ?? 0), 0)
  assert.deepEqual([total('ok_count'), total('failed_count')], [3, 3])
  const told = activitiesOf(product).filter(
    ({ service, type }) => service === 'flaky' && type === 'health_check',
  )
  assert.deepEqual(
    told.map(({ severity, title }) => [severity, title]),
    [
      ['info', 'flaky is up'],
      ['error', 'flaky is down'],
      ['info', 'flaky is up'],
    ],
  )
})

test('a check in a maintenance window opens nothing and counts as maintenance', async () => {
  const { id } = await add({ name: 'planned', failures_to_open: 1 })
  const [starts_at, ends_at] = [-60_000, 3_600_000].map((shift) => new Date(Date.now() + shift).toISOString())
  const path = `/api/services/${id}/maintenance`
  const window = await send(product, 'POST', path, { starts_at, ends_at, note: 'Upgrade' }, 201)
  checked.status = 500
  assert.deepEqual(await check(id, 2), ['maintenance', 'maintenance'])
  await send(product, 'DELETE', `/api/maintenance/${window.id}`, undefined, 204)
  assert.deepEqual(await check(id, 1), ['down'])
  checked.status = 200
  const [sum] = (await send(product, 'GET', `/api/services/${id}/history?resolution=day`, undefined, 200))
    .data
  assert.deepEqual([sum.ok_count, sum.failed_count, sum.maintenance_count], [1, 1, 2])
  const bad = await send(product, 'POST', path, { starts_at: ends_at, ends_at: starts_at }, 400)
  assert.equal(bad.error.param, 'ends_at')
})

test('a service that does not answer in time, redirects or sends without end', async () => {
  checked.hang = true
  const late = await add({ name: 'late', timeout_ms: 100 })
  checked.hang = false
  assert.equal(late.last_error, 'No response within 100 ms.')
  const redirect = await add({ name: 'redirect', url: `${address}/redirect` })
  assert.equal(redirect.last_error, 'Expected status 200, received 302.')
  const expected = await add({ name: 'expected', url: `${address}/redirect`, expect_status: 302 })
  assert.equal(expected.state, 'up')
  const endless = await add({ name: 'endless', url: `${address}/endless` })
  assert.equal(endless.state, 'up')
  const closed = await add({ name: 'closed', url: 'http://127.0.0.1:1/' })
  assert.equal(closed.last_error, 'The connection was refused.')
})

test('a paused service is not checked, and its incident ends', async () => {
  const { id } = await add({ name: 'paused', failures_to_open: 1 })
  checked.status = 500
  assert.deepEqual(await check(id, 1), ['down'])
  checked.status = 200
  const paused = await send(product, 'PATCH', `/api/services/${id}`, { is_paused: true }, 200)
  assert.deepEqual([paused.state, paused.next_check_at], ['unknown', null])
  await send(product, 'POST', `/api/services/${id}/check`, undefined, 409)
  const [incident] = (await send(product, 'GET', '/api/incidents?service=paused', undefined, 200)).data
  assert.ok(incident.closed_at !== null)
  await send(product, 'PATCH', `/api/services/${id}`, { is_paused: false }, 200)
  await waitFor('the check after the pause', async () => (await get(id)).state === 'up')
})

test('private networks need the permission of the operator and of an admin', async () => {
  const refused = await send(product, 'POST', '/api/services', { name: 'p', url: `${address}/` }, 400)
  assert.equal(refused.error.param, 'url')
  const byName = await add({
    name: 'by-name',
    url: address.replace('127.0.0.1', 'localhost'),
    allow_private: false,
  })
  assert.match(byName.last_error ?? '', /^The address is in a private network/)
  for (const url of [
    'http://user:pw@example.com/',
    'https://example.com/#a',
    'ftp://example.com/',
    'http://[::1]/',
  ])
    assert.equal(
      (await send(product, 'POST', '/api/services', { name: 'q', url }, 400)).error.param,
      'url',
      url,
    )
  const strict = await startProduct()
  const opted = await send(strict, 'POST', '/api/services', { name: 'p', ...own }, 400)
  assert.equal(opted.error.param, 'allow_private')
  await strict.stop()
})

test('two replicas check a service once, and its schedule survives a restart', async () => {
  const { id } = await add({ name: 'shared' })
  const replicas = await Promise.all(
    [1, 2].map(() => startProduct({ UPSTREAM_PRIVATE: '1' }, product.target)),
  )
  const before = checked.requests
  const [first] = await check(id, 1)
  assert.equal(first, 'up')
  // Another service that is checked afterwards shows that nobody is behind.
  await add({ name: 'after' })
  assert.equal(checked.requests - before, 2)
  await Promise.all(replicas.map((replica) => replica.stop()))
  const { next_check_at } = await get(id)
  assert.ok(Date.parse(String(next_check_at)) > Date.now() + 86_000_000)
})

test('bad settings are refused by name, and a name is taken once', async () => {
  const refused = async (json: object, param: string) =>
    assert.equal(
      (await send(product, 'POST', '/api/services', { name: 'r', ...json }, 400)).error.param,
      param,
    )
  await refused({ name: 'Big Name' }, 'name')
  await refused({ name: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f' }, 'name')
  await refused({ interval_s: 9 }, 'interval_s')
  await refused({ interval_s: 10, timeout_ms: 10_001 }, 'timeout_ms')
  await refused({ expect_status: 99 }, 'expect_status')
  await refused({ failures_to_open: 0 }, 'failures_to_open')
  const answers = await Promise.all(
    [1, 2].map(() => product.call('/api/services', { key: product.key, json: { name: 'twin' } })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409],
  )
})

test('an incident names the deployment that caused it', async () => {
  const { id } = await add({ name: 'broken', failures_to_open: 1, url: 'http://127.0.0.1:1/' })
  assert.equal((await get(id)).state, 'down')
  const [incident] = (await send(product, 'GET', '/api/incidents?service=broken&status=open', undefined, 200))
    .data
  const deployment = await send(
    product,
    'POST',
    '/api/deployments',
    { service: 'broken', incident_id: incident.id },
    201,
  )
  const path = `/api/incidents/${incident.id}`
  const changed = await send(
    product,
    'PATCH',
    path,
    { deployment_id: deployment.id, note: 'Wrong port' },
    200,
  )
  assert.deepEqual(
    [changed.deployment_id, changed.note, changed.service],
    [deployment.id, 'Wrong port', 'broken'],
  )
  const other = { deployment_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f' }
  assert.equal((await send(product, 'PATCH', path, other, 400)).error.param, 'deployment_id')
  const closed = { closed_at: new Date().toISOString() }
  assert.equal((await send(product, 'PATCH', path, closed, 400)).error.param, 'closed_at')
  assert.equal((await send(product, 'PATCH', path, { cause: 'Nothing' }, 400)).error.param, 'cause')
  await send(product, 'DELETE', path, undefined, 409)
  await send(product, 'DELETE', `/api/services/${id}`, undefined, 204)
  await send(product, 'GET', path, undefined, 404)
})
