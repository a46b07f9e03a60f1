import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import { startProduct } from '#test/product'

const product = await startProduct()
const { call } = product
const member = await personWith(product, 'member')
const path = '/api/v1/alerts'
const spend = { subject: { type: 'group' }, window: 'day', amount: '50' }
const body = { name: 'Spend', kind: 'spend', config: spend }

async function made(json: object = body): Promise<{ id: string } & Record<string, unknown>> {
  const answer = await call(path, { json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}

test('an alert is made with the defaults of its kind, changed and deleted', async () => {
  const { id, ...alert } = await made()
  assert.deepEqual(
    { ...alert, group_id: 0, created_by: 0, created_at: 0, updated_at: 0 },
    {
      ...{ group_id: 0, created_by: 0, created_at: 0, updated_at: 0 },
      ...{ ...body, severity: 'warning', channels: [], is_active: true, state: 'ok', last_fired_at: null },
    },
  )
  const change = {
    name: 'More',
    severity: 'critical',
    config: { ...spend, amount: '70.5' },
    is_active: false,
  }
  const changed = await call(`${path}/${id}`, { method: 'PATCH', json: change })
  assert.equal(changed.status, 200, changed.text)
  const { name, severity, config, is_active } = (await call(`${path}/${id}`)).json
  assert.deepEqual({ name, severity, config, is_active }, change)
  assert.equal((await call(`${path}/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await call(`${path}/${id}`)).status, 404)
  assert.equal((await call(`${path}/${id}`, { method: 'DELETE' })).status, 404)
})

test('a config that its kind cannot use is refused by the name of the field', async () => {
  const id = randomUUID()
  const bad: [string, unknown, string][] = [
    ['spend', {}, 'config.window'],
    ['spend', { ...spend, amount: 50 }, 'config.amount'],
    ['spend', { ...spend, amount: '0.00' }, 'config.amount'],
    ['spend', { ...spend, amount: '-1' }, 'config.amount'],
    ['spend', { ...spend, window: 'year' }, 'config.window'],
    ['spend', { ...spend, more: 1 }, 'config.more'],
    ['spend', { ...spend, subject: { type: 'label', id: 'x' } }, 'config.subject.type'],
    ['spend', { ...spend, subject: { type: 'tag', id: 'a,b' } }, 'config.subject.id'],
    ['spend', { ...spend, subject: { type: 'tag', id: ' a' } }, 'config.subject.id'],
    ['anomaly', { subject: { type: 'tag', id: 'x' } }, 'config.subject.type'],
    ['spend', { ...spend, subject: { type: 'api_key', id } }, 'config.subject.id'],
    ['spend', { ...spend, subject: { type: 'user', id: 'label:ada' } }, 'config.subject.id'],
    ['budget', { limit_id: id, at: [0] }, 'config.at.0'],
    ['budget', { limit_id: id }, 'config.limit_id'],
    ['anomaly', { sensitivity: 'extreme' }, 'config.sensitivity'],
    ['provider_errors', { share: 101 }, 'config.share'],
    ['provider_latency', {}, 'config.p95_ms'],
    ['service_down', { services: ['a\0'] }, 'config.services.0'],
    ['disk', { min_free_percent: 0 }, 'config.min_free_percent'],
    ['unpriced_model', { any: true }, 'config.any'],
  ]
  for (const [kind, config, param] of bad) {
    const { status, json, text } = await call(path, { json: { name: 'Bad', kind, config } })
    assert.equal(status, 400, text)
    assert.equal(json.error.param, param, text)
  }
  for (const json of [
    { ...body, kind: 'weather' },
    { ...body, name: ' ' },
    { ...body, config: [] },
  ])
    assert.equal((await call(path, { json })).status, 400)
  const channels = await call(path, { json: { ...body, channels: [randomUUID()] } })
  assert.deepEqual([channels.status, channels.json.error.param], [400, 'channels'])
})

test('members read alerts, and admins and keys of the scope admin change them', async () => {
  const { id } = await made()
  const reader = await keyWith(product, ['read'])
  const manager = await keyWith(product, ['admin'])
  for (const ask of [member, reader]) {
    assert.equal((await ask(`${path}/${id}`)).json.id, id)
    assert.ok((await ask(path)).json.data.some((each: { id: string }) => each.id === id))
    assert.equal((await ask(path, { json: body })).status, 403)
    assert.equal((await ask(`${path}/${id}`, { method: 'PATCH', json: { name: 'x' } })).status, 403)
    assert.equal((await ask(`${path}/${id}`, { method: 'DELETE' })).status, 403)
  }
  assert.equal((await manager(`${path}/${id}`, { method: 'PATCH', json: { name: 'x' } })).status, 200)
  assert.equal((await manager(`${path}/${id}`, { method: 'DELETE' })).status, 204)
})

test('alerts of another group do not exist, and only the first group hears of the installation', async () => {
  const { id } = await made()
  const { json: group } = await call('/api/v1/groups', { json: { name: 'Others' } })
  const outsider = await personWith(product, 'admin', group.id)
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const json = method === 'PATCH' ? { json: { name: 'x' } } : {}
    assert.equal((await outsider(`${path}/${id}`, { method, ...json })).status, 404, method)
  }
  assert.deepEqual((await outsider(path)).json.data, [])
  assert.equal((await outsider(path, { json: body })).status, 201)
  for (const kind of ['disk', 'backup_failed']) {
    const refused = await outsider(path, { json: { name: kind, kind } })
    assert.deepEqual([refused.status, refused.json.error.param], [400, 'kind'])
  }
  const kinds = async (ask: typeof member) =>
    (await ask(`${path}/recommended`)).json.data.map(({ kind }: { kind: string }) => kind)
  assert.ok((await kinds(member)).includes('disk'))
  assert.ok(!(await kinds(outsider)).includes('disk'))
})

test('recommended alerts can be made as they are', async () => {
  const { data } = (await call(`${path}/recommended`)).json
  assert.ok(data.length > 8)
  for (const { name, kind, config, severity } of data) await made({ name, kind, config, severity })
  const again = (await call(`${path}/recommended`)).json.data
  assert.ok(again.every(({ exists }: { exists: boolean }) => exists))
})
