import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { activitiesOf, keyWith, send } from '../testing-records.ts'

const product = await startProduct()
const post = (path: string, json: object, status = 201) => send(product, 'POST', path, json, status)
const titles = async (path: string) => {
  const { data } = await send(product, 'GET', path, undefined, 200)
  return data.map((each: { title?: string; name?: string }) => each.title ?? each.name)
}

test('the devlog of an agent is kept as it was sent', async () => {
  const sent = {
    service_id: 'data-engineer',
    log_type: 'config',
    title: 'Add an index',
    content: '## SQL\n<script>alert(1)</script>',
    tags: ['database', 'index'],
    metadata: { intent: 'faster', validation: { pre_count: 3, post_count: 3, verified: true } },
    author_kind: 'ai',
  }
  const made = await post('/api/devlogs', sent)
  const { id } = made
  const read = await send(product, 'GET', `/api/devlogs/${id}`, undefined, 200)
  assert.deepEqual(read, made)
  for (const [name, value] of Object.entries(sent)) assert.deepEqual(read[name], value)
  assert.equal(read.service, 'data-engineer')
  const [told] = activitiesOf(product)
  assert.deepEqual(
    [told?.type, told?.title, told?.service],
    ['devlog', 'Devlog created: Add an index', 'data-engineer'],
  )
})

test('devlogs are found by service, type, tag and author', async () => {
  await post('/api/devlogs', { title: 'one', content: '', service_id: 'web', tags: ['x'], log_type: 'fix' })
  await post('/api/devlogs', { title: 'two', content: '', service_id: 'web', author_kind: 'ai' })
  assert.deepEqual(await titles('/api/devlogs?service_id=web'), ['two', 'one'])
  assert.deepEqual(await titles('/api/devlogs?service_id=web&tag=x'), ['one'])
  assert.deepEqual(await titles('/api/devlogs?log_type=fix'), ['one'])
  assert.deepEqual(await titles('/api/devlogs?service_id=web&author_kind=ai'), ['two'])
})

test('the ID of a service of another group finds no devlogs', async () => {
  const { json: group } = await product.call('/api/v1/groups', { json: { name: 'Other' } })
  const headers = { 'x-group-id': group.id as string }
  const { json: foreign } = await product.call('/api/services', { headers, json: { name: 'payroll' } })
  await post('/api/devlogs', { title: 'ours', content: '', service_id: 'payroll' })
  assert.deepEqual(await titles(`/api/devlogs?service_id=${foreign.id}`), [])
  const own = await post('/api/services', { name: 'payroll' })
  assert.deepEqual(await titles(`/api/devlogs?service_id=${own.id}`), ['ours'])
})

test('content and metadata that cannot be stored are refused by name', async () => {
  const refused = async (json: object, param: string) => {
    const { error } = await post('/api/devlogs', { title: 'a', content: '', ...json }, 400)
    assert.equal(error.param, param)
  }
  await refused({ content: 'x'.repeat(100_001) }, 'content')
  await refused({ content: '\0' }, 'content')
  await refused({ metadata: { deep: ['\0'] } }, 'metadata.deep.0')
  await refused({ metadata: { half: '\ud800' } }, 'metadata.half')
  await refused({ metadata: { big: 'x'.repeat(70_000) } }, 'metadata')
  await refused({ metadata: [] }, 'metadata')
  await refused({ tags: Array.from({ length: 51 }, () => 'x') }, 'tags')
  await refused({ author_kind: 'robot' }, 'author_kind')
  await post('/api/devlogs', { title: 'a', content: '', metadata: { escaped: String.raw`\u0000` } })
})

test('a skill has a name of its own in the group, also when two come at once', async () => {
  const skill = { name: 'review', content: '1. Read.' }
  const made = await Promise.all(
    [1, 2].map(() => product.call('/api/skills', { key: product.key, json: skill })),
  )
  assert.deepEqual(
    made.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409],
  )
  const other = await post('/api/skills', { ...skill, name: 'deploy' })
  const taken = await send(product, 'PATCH', `/api/skills/${other.id}`, { name: 'review' }, 409)
  assert.equal(taken.error.message, 'A skill "review" already exists.')
  await send(product, 'PATCH', `/api/skills/${other.id}`, { description: 'How to deploy' }, 200)
  assert.deepEqual(await titles('/api/skills?name=deploy'), ['deploy'])
  assert.ok(
    activitiesOf(product).some(({ type, title }) => type === 'config' && title === 'Skill changed: deploy'),
  )
})

test('a key that sends events adds learnings and devlogs, but rewrites none and writes no skill', async () => {
  const key = await keyWith(product, ['events'])
  const learning = await product.call('/api/learnings', {
    key,
    json: { title: 'Jitter', content: 'Use it.' },
  })
  assert.equal(learning.status, 201, learning.text)
  assert.deepEqual([learning.json.author, learning.json.category], ['events', 'general'])
  const change = { key, method: 'PATCH', json: { title: 'No jitter' } }
  assert.equal((await product.call(`/api/learnings/${learning.json.id}`, change)).status, 403)
  assert.equal((await product.call('/api/skills', { key, json: { name: 's', content: '' } })).status, 403)
  await send(product, 'PATCH', `/api/learnings/${learning.json.id}`, { category: 'design' }, 200)
  assert.deepEqual(await titles('/api/learnings?category=design'), ['Jitter'])
  const reader = await keyWith(product, ['read'])
  assert.equal((await product.call('/api/learnings', { key: reader })).status, 200)
  assert.equal(
    (await product.call('/api/devlogs', { key: reader, json: { title: 'a', content: '' } })).status,
    403,
  )
})
