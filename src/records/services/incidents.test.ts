import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { activitiesOf, keyWith, send } from '../testing-records.ts'

const product = await startProduct()
const create = (body: object, status = 201) => send(product, 'POST', '/api/incidents', body, status)
const change = (id: string, body: object, status = 200) =>
  send(product, 'PATCH', `/api/incidents/${id}`, body, status)
const stateOf = async (name: string): Promise<string> =>
  (await send(product, 'GET', `/api/services?name=${name}`, undefined, 200)).data[0].state

for (const name of ['payments', 'mail']) await send(product, 'POST', '/api/services', { name }, 201)

test('people open, change and close an incident; a service that is not checked follows it', async () => {
  const deployment = await send(product, 'POST', '/api/deployments', { service: 'payments' }, 201)
  const opened = await create({
    service: 'payments',
    cause: 'Cards are refused.',
    opened_at: '2026-03-02T10:00:00Z',
    deployment_id: deployment.id,
  })
  assert.deepEqual(
    [opened.service, opened.closed_at, opened.source, opened.note, opened.deployment_id],
    ['payments', null, 'manual', '', deployment.id],
  )
  assert.equal(await stateOf('payments'), 'down')
  const closed = await change(opened.id, {
    cause: 'The bank refused cards.',
    note: 'They had an outage.',
    closed_at: '2026-03-02T10:45:00.000Z',
  })
  assert.deepEqual(
    [closed.cause, closed.note, closed.opened_at, closed.closed_at],
    [
      'The bank refused cards.',
      'They had an outage.',
      '2026-03-02T10:00:00.000Z',
      '2026-03-02T10:45:00.000Z',
    ],
  )
  assert.equal(await stateOf('payments'), 'up')
  assert.equal((await change(opened.id, { closed_at: null })).closed_at, null)
  assert.equal(await stateOf('payments'), 'down')
  const titles = activitiesOf(product).map(({ title }) => title)
  assert.deepEqual(
    titles.filter((title) => title.startsWith('Incident of payments')),
    ['opened', 'closed', 'opened'].map((what) => `Incident of payments ${what}`),
  )
  await send(product, 'DELETE', `/api/incidents/${opened.id}`, undefined, 204)
  await send(product, 'GET', `/api/incidents/${opened.id}`, undefined, 404)
  assert.equal(await stateOf('payments'), 'up')
})

test('a service whose address is taken away is down while a reported incident is open', async () => {
  const { id } = await send(
    product,
    'POST',
    '/api/services',
    { name: 'moved', url: 'https://moved.example/', is_paused: true },
    201,
  )
  const incident = await create({ service: 'moved', cause: 'Seen by a person.' })
  await send(product, 'PATCH', `/api/services/${id}`, { url: null }, 200)
  assert.equal(await stateOf('moved'), 'down')
  await change(incident.id, { closed_at: new Date().toISOString() })
  assert.equal(await stateOf('moved'), 'up')
})

test('one list shows the incidents of all services, newest first', async () => {
  const [first, second] = [
    await create({
      service: 'mail',
      cause: 'Slow',
      opened_at: '2026-02-01T08:00:00Z',
      closed_at: '2026-02-01T09:00:00Z',
    }),
    await create({ service: 'payments', cause: 'Down', opened_at: '2026-02-01T08:30:00Z' }),
  ]
  const ids = async (query: string): Promise<string[]> =>
    (await send(product, 'GET', `/api/incidents?${query}`, undefined, 200)).data.map(
      ({ id }: { id: string }) => id,
    )
  assert.deepEqual(await ids('until=2026-02-02T00:00:00Z'), [second.id, first.id])
  assert.deepEqual(await ids('status=open&until=2026-02-02T00:00:00Z'), [second.id])
  assert.deepEqual(await ids('service=mail'), [first.id])
})

test('an incident that cannot be is refused by its field', async () => {
  const paramOf = async (body: object): Promise<string> => (await create(body, 400)).error.param
  const own = { service: 'mail', cause: 'Slow' }
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  assert.equal(await paramOf({ ...own, service: 'unknown' }), 'service')
  assert.equal(await paramOf({ service: 'mail' }), 'cause')
  assert.equal(await paramOf({ ...own, cause: '  ' }), 'cause')
  assert.equal(await paramOf({ ...own, opened_at: soon }), 'opened_at')
  assert.equal(await paramOf({ ...own, closed_at: soon }), 'closed_at')
  assert.equal(
    await paramOf({ ...own, opened_at: '2026-01-02T00:00:00Z', closed_at: '2026-01-01T00:00:00Z' }),
    'closed_at',
  )
  assert.equal(
    await paramOf({ ...own, deployment_id: '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f' }),
    'deployment_id',
  )
  await create({ ...own, source: 'health_check' }, 400)
})

test('a key that only sends events can neither open, change nor delete an incident', async () => {
  const key = await keyWith(product, ['events'])
  const { id } = await create({ service: 'mail', cause: 'Slow' })
  for (const [method, path, json] of [
    ['POST', '/api/incidents', { service: 'mail', cause: 'Slow' }],
    ['PATCH', `/api/incidents/${id}`, { note: 'x' }],
    ['DELETE', `/api/incidents/${id}`, undefined],
  ] as const)
    assert.equal(
      (await product.call(path, { method, key, ...(json && { json }) })).status,
      403,
      `${method} ${path}`,
    )
})
