import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { activitiesOf, keyWith, send } from '../testing-records.ts'

const product = await startProduct()
const path = '/api/deployments'
const post = (json: object, status = 201) => send(product, 'POST', path, json, status)

test('CI reports a start with a key that may send events, and its end', async () => {
  const key = await keyWith(product, ['events'])
  const started = await product.call(path, {
    key,
    json: { service: 'checkout', version: '1.4.2', commit: 'abc' },
  })
  assert.equal(started.status, 201, started.text)
  const { id, environment, status, finished_at, source } = started.json
  assert.deepEqual([environment, status, finished_at, source], ['production', 'started', null, 'api'])
  const ended = await product.call(`${path}/${id}`, { key, method: 'PATCH', json: { status: 'succeeded' } })
  assert.equal(ended.status, 200, ended.text)
  assert.equal(ended.json.status, 'succeeded')
  assert.ok(Date.parse(ended.json.finished_at) >= Date.parse(ended.json.started_at))
  assert.equal((await product.call(`${path}/${id}`, { key })).status, 403)
  assert.equal((await product.call(`${path}/${id}`, { key, method: 'DELETE' })).status, 403)
})

test('each change is an event, and a failed deployment is an error', async () => {
  const { id } = await post({ service: 'billing', version: '7' })
  await send(product, 'PATCH', `${path}/${id}`, { status: 'failed' }, 200)
  await send(product, 'PATCH', `${path}/${id}`, {}, 200)
  await send(product, 'DELETE', `${path}/${id}`, undefined, 204)
  const told = activitiesOf(product).filter(({ metadata }) => metadata['id'] === id)
  assert.deepEqual(
    told.map(({ type, severity, title, service }) => [type, severity, title, service]),
    [
      ['deployment', 'info', 'Deployment of billing 7 to production: started', 'billing'],
      ['deployment', 'error', 'Deployment of billing 7 to production: failed', 'billing'],
      ['deployment', 'info', 'Deployment of billing 7 to production deleted', 'billing'],
    ],
  )
  await send(product, 'GET', `${path}/${id}`, undefined, 404)
  await send(product, 'DELETE', `${path}/${id}`, undefined, 404)
})

test('the same external ID is one deployment, also when its reports cross', async () => {
  const report = { service: 'api', external_id: 'run-1', source: 'ci' }
  const times = { started_at: '2026-11-10T10:00:00Z', finished_at: '2026-11-10T10:05:00Z' }
  const done = await post({ ...report, ...times, status: 'succeeded', started_at: undefined })
  const late = await post(
    { ...report, status: 'started', started_at: times.started_at, commit: 'c0ffee' },
    200,
  )
  assert.equal(late.id, done.id)
  assert.deepEqual(
    [late.status, late.started_at, late.finished_at, late.commit],
    ['succeeded', '2026-11-10T10:00:00.000Z', '2026-11-10T10:05:00.000Z', 'c0ffee'],
  )
  const many = await Promise.all(
    Array.from({ length: 5 }, () =>
      product.call(path, { key: product.key, json: { service: 'api', external_id: 'run-2' } }),
    ),
  )
  assert.deepEqual(
    many.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 200, 200, 200, 201],
  )
  assert.equal(new Set(many.map(({ json }) => json.id)).size, 1)
})

test('a list is filtered, sorted by start and read page by page', async () => {
  for (const hour of ['03', '01', '02'])
    await post({ service: 'pages', status: 'succeeded', started_at: `2026-11-01T${hour}:00:00Z` })
  const list = async (query: string) => send(product, 'GET', `${path}?service=pages&${query}`, undefined, 200)
  const first = await list('limit=2')
  const hours = (page: { data: { started_at: string }[] }) =>
    page.data.map((each) => each.started_at.slice(11, 13))
  assert.deepEqual(hours(first), ['03', '02'])
  const second = await list(`limit=2&cursor=${first.next_cursor}`)
  assert.deepEqual([hours(second), second.next_cursor], [['01'], null])
  assert.deepEqual(hours(await list('since=2026-11-01T02:00:00Z&until=2026-11-01T03:00:00Z')), ['02'])
  assert.deepEqual(hours(await list('status=failed,started')), [])
})

test('what makes no sense is refused by name', async () => {
  const refused = async (json: object, param: string | null) => {
    const { status, json: body } = await product.call(path, { key: product.key, json })
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_request', param])
  }
  await refused({}, 'service')
  await refused({ service: ' ' }, 'service')
  await refused({ service: 'nul\0' }, 'service')
  await refused({ service: 'half \ud800' }, 'service')
  await refused({ service: 'a', status: 'finished' }, 'status')
  await refused({ service: 'a', url: 'javascript:alert(1)' }, 'url')
  await refused({ service: 'a', started_at: 'yesterday' }, 'started_at')
  await refused({ service: 'a', finished_at: '2026-11-10T10:05:00Z' }, 'finished_at')
  await refused(
    {
      service: 'a',
      status: 'failed',
      started_at: '2026-11-10T10:05:00Z',
      finished_at: '2026-11-10T10:00:00Z',
    },
    'finished_at',
  )
  await refused({ service: 'a', incident_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f' }, 'incident_id')
  await refused({ service: 'a', color: 'red' }, 'color')
  for (const query of ['limit=0', 'limit=501', 'cursor=x', 'service=%00', 'since=now', 'color=red'])
    assert.equal((await product.call(`${path}?${query}`, { key: product.key })).status, 400, query)
})

test('another group sees nothing of it', async () => {
  const { id } = await post({ service: 'private' })
  const group = await product.call('/api/v1/groups', { json: { name: 'Other' } })
  const headers = { 'x-group-id': group.json.id as string }
  const answers = await Promise.all([
    product.call(`${path}/${id}`, { headers }),
    product.call(`${path}/${id}`, { headers, method: 'PATCH', json: { status: 'failed' } }),
    product.call(`${path}/${id}`, { headers, method: 'DELETE' }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404],
  )
  assert.deepEqual((await product.call(path, { headers })).json.data, [])
})
