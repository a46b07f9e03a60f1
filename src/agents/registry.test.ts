import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import { startProduct } from '#test/product'

const product = await startProduct({ AGENT_MODEL: 'my-model' })
const { call } = product
const policy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT'],
  requires_approval: ['DROP'],
  environment: 'dev',
}
const basic = { name: 'Validator', model: 'my-model' }
const patch = (id: string, json: object) => call(`/api/agents/${id}`, { method: 'PATCH', json })

test('a group finds the embeddings service and the data-engineering agent with the specified policy', async () => {
  const { json } = await call('/api/agents')
  const [engineer, embeddings, ...others] = json.data
  assert.equal(others.length, 0)
  assert.equal(embeddings.id, 'embeddings')
  assert.equal(embeddings.category, 'ai')
  // The model that runs, not the setting.
  const { json: models } = await call('/api/v1/models')
  assert.equal(embeddings.model, models.current_model)
  assert.equal((await call('/api/agents/embeddings')).json.model, models.current_model)
  assert.deepEqual(embeddings.capabilities, [
    'embeddings generation',
    'similarity search',
    'context discovery',
    'semantic ranking',
  ])
  assert.equal(engineer.id, 'data-engineer')
  assert.equal(engineer.model, 'default')
  assert.equal((await call('/api/v1/default-models')).json.data[0].model, 'my-model')
  assert.equal(engineer.version, 1)
  assert.deepEqual(engineer.config.policy, {
    allowed_databases: ['status', 'calendar', 'application'],
    allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE INDEX', 'CREATE TABLE'],
    requires_approval: ['DROP', 'TRUNCATE', 'ALTER TABLE'],
    environment: 'dev',
  })
})

test('a new group gets the built-in agents once, and a deleted one does not come back', async () => {
  const group = (await call('/api/v1/groups', { json: { name: 'Second' } })).json.id as string
  const path = `/api/agents?group_id=${group}`
  const lists = await Promise.all(Array.from({ length: 6 }, () => call(path)))
  for (const { json } of lists) assert.equal(json.data.length, 2)
  const removed = await call(`/api/agents/embeddings?group_id=${group}`, { method: 'DELETE' })
  assert.equal(removed.status, 204)
  assert.deepEqual(
    (await call(path)).json.data.map((each: { id: string }) => each.id),
    ['data-engineer'],
  )
})

test('pages of agents neither repeat nor miss one, and without a limit there is one page', async () => {
  const group = (await call('/api/v1/groups', { json: { name: 'Pages' } })).json.id as string
  for (const id of ['b', 'a', 'c'])
    await call('/api/agents', { json: { id: `paged-${id}`, ...basic, group_id: group } })
  const path = `/api/agents?group_id=${group}`
  const idsOf = (data: { id: string }[]): string[] => data.map(({ id }) => id)
  const { json: whole } = await call(path)
  assert.deepEqual(
    [idsOf(whole.data), whole.next_cursor],
    [['data-engineer', 'embeddings', 'paged-b', 'paged-a', 'paged-c'], null],
  )
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { json } = await call(`${path}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    assert.ok(json.data.length <= 2)
    seen.push(...idsOf(json.data))
    cursor = json.next_cursor
  }
  assert.deepEqual(seen, idsOf(whole.data))
  for (const query of ['limit=0', 'limit=501', 'limit=x', 'cursor=x', 'cursor=1_x'])
    assert.equal((await call(`${path}&${query}`)).status, 400, query)
})

test('an unknown or misspelt key is an error that names it', async () => {
  for (const [config, name] of [
    [{ policy: { ...policy, allowed_operation: [] } }, 'allowed_operation'],
    [{ policy: { ...policy, environment: 'production' } }, 'environment'],
    [{ permissionMode: 'plan' }, 'permissionMode'],
    [{ permission_mode: 'yolo' }, 'permission_mode'],
    [{ mcp_servers: { a: { command: 'x', env: {} } } }, 'env'],
  ] as const) {
    const { status, json } = await call('/api/agents', { json: { id: 'bad', ...basic, config } })
    assert.equal(status, 400, JSON.stringify(json))
    assert.match(JSON.stringify(json.error), new RegExp(name))
  }
  assert.equal((await call('/api/agents/bad')).status, 404)
})

test('a version is kept of every change, and the policy has a version of its own', async () => {
  await call('/api/agents', { json: { id: 'versioned', ...basic, config: { policy } } })
  const renamed = (await patch('versioned', { name: 'Renamed' })).json
  assert.deepEqual([renamed.version, renamed.policy_version, renamed.name], [2, 1, 'Renamed'])
  const changed = (await patch('versioned', { config: { policy: { ...policy, environment: 'prod' } } })).json
  assert.deepEqual([changed.version, changed.policy_version], [3, 3])
  assert.equal(changed.config.system_prompt, '', 'the rest of the configuration stays')
  assert.equal((await patch('versioned', { name: 'Late', version: 2 })).status, 409)
  assert.equal((await call('/api/agents/versioned', { method: 'DELETE' })).status, 204)
  // An approval of the first life must not fit the second.
  const again = (await call('/api/agents', { json: { id: 'versioned', ...basic, config: { policy } } })).json
  assert.deepEqual([again.version, again.policy_version], [5, 5])
  const { json } = await call('/api/agents/versioned/versions')
  assert.deepEqual(
    json.data.map((each: { version: number; change: string }) => `${each.version} ${each.change}`),
    ['5 created', '4 deleted', '3 changed', '2 changed', '1 created'],
  )
  assert.equal(json.data[2].record.config.policy.environment, 'prod')
  assert.equal(json.data[2].changed_by, 'Local owner')
})

test('changes at the same moment each get a version of their own', async () => {
  await call('/api/agents', { json: { id: 'raced', ...basic } })
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => patch('raced', { name: `n${n}` })))
  assert.deepEqual(
    answers.map(({ json }) => json.version).toSorted((a, b) => a - b),
    [2, 3, 4, 5, 6, 7, 8, 9],
  )
})

test('only an owner who is signed in names a command that will run', async () => {
  const servers = { config: { mcp_servers: { files: { command: 'node', args: ['server.js'] } } } }
  const admin = await personWith(product, 'admin')
  const owner = await personWith(product, 'owner')
  const key = await keyWith(product, ['admin'])
  const json = { id: 'commanding', ...basic, ...servers }
  assert.equal((await admin('/api/agents', { json })).status, 403)
  assert.equal((await key('/api/agents', { json })).status, 403)
  assert.equal((await owner('/api/agents', { json })).status, 201)
  const change = (config: object) => ({ method: 'PATCH', json: { config } })
  assert.equal((await admin('/api/agents/commanding', change({ mcp_servers: {} }))).status, 403)
  assert.equal((await admin('/api/agents/commanding', change({ ...servers.config }))).status, 200)
  assert.equal((await admin('/api/agents/commanding', change({ system_prompt: 'x' }))).status, 200)
})

test('whether people are asked before a command is used is for the owner who named it', async () => {
  const admin = await personWith(product, 'admin')
  const owner = await personWith(product, 'owner')
  const key = await keyWith(product, ['admin'])
  const config = { policy, mcp_servers: { files: { command: 'node', args: ['server.js'] } } }
  await owner('/api/agents', { json: { id: 'leashed', ...basic, config } })
  const change = (more: object) => ({ method: 'PATCH', json: { config: more } })
  for (const freer of [
    { permission_mode: 'bypassPermissions' },
    { permission_mode: 'acceptEdits' },
    { policy: { ...policy, environment: 'staging' } },
    { policy: null },
  ]) {
    assert.equal((await admin('/api/agents/leashed', change(freer))).status, 403)
    assert.equal((await key('/api/agents/leashed', change(freer))).status, 403)
  }
  const operations = { policy: { ...policy, allowed_operations: [] } }
  assert.equal((await admin('/api/agents/leashed', change(operations))).status, 200)
  assert.equal((await owner('/api/agents/leashed', change({ permission_mode: 'acceptEdits' }))).status, 200)
  await admin('/api/agents', { json: { id: 'without', ...basic } })
  assert.equal((await admin('/api/agents/without', change({ permission_mode: 'dontAsk' }))).status, 200)
})

test('the owner of another group starts no command on the server, only the tools of the platform', async () => {
  const group = (await call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id as string
  const owner = await personWith(product, 'owner', group)
  const created = (id: string, command: string, args: string[]) => {
    const config = { mcp_servers: { tools: { command, args } } }
    return owner('/api/agents', { json: { id, ...basic, group_id: group, config } })
  }
  for (const [command, ...args] of [
    ['sh', '-c', 'id'],
    ['signalbox', 'backup'],
    ['signalbox', 'mcp', '--to', 'http://127.0.0.1'],
    ['/usr/bin/signalbox', 'mcp'],
  ] as [string, ...string[]][])
    assert.equal((await created('elsewhere', command, args)).status, 403, command)
  assert.equal((await created('elsewhere', 'signalbox', ['mcp'])).status, 201)
  const changed = await owner('/api/agents/elsewhere', {
    method: 'PATCH',
    json: { group_id: group, config: { mcp_servers: { tools: { command: 'sh', args: [] } } } },
  })
  assert.deepEqual([changed.status, changed.json.error.code], [403, 'forbidden'])
})

test('an agent for prod cannot bypass permissions, whichever is set last', async () => {
  const prod = { ...policy, environment: 'prod' }
  const both = { permission_mode: 'bypassPermissions', policy: prod }
  assert.equal((await call('/api/agents', { json: { id: 'both', ...basic, config: both } })).status, 400)
  await call('/api/agents', { json: { id: 'either', ...basic, config: { policy: prod } } })
  assert.equal((await patch('either', { config: { permission_mode: 'bypassPermissions' } })).status, 400)
  assert.equal((await patch('either', { config: { policy } })).status, 200)
  assert.equal((await patch('either', { config: { permission_mode: 'bypassPermissions' } })).status, 200)
  assert.equal((await patch('either', { config: { policy: prod } })).status, 400)
})

test('a key in an agent is refused and not repeated', async () => {
  const secret = `sk-proj-${'a1B2'.repeat(12)}`
  const { status, text } = await call('/api/agents', {
    json: { id: 'leaky', ...basic, config: { system_prompt: `Use ${secret}` } },
  })
  assert.equal(status, 400)
  assert.ok(!text.includes(secret))
})

test("another group's agents do not exist", async () => {
  const group = (await call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id as string
  const stranger = await personWith(product, 'owner', group)
  await call('/api/agents', { json: { id: 'ours', ...basic } })
  assert.equal((await stranger('/api/agents/ours')).status, 404)
  assert.equal((await stranger('/api/agents/ours/versions')).status, 404)
  assert.equal((await stranger(`/api/agents/ours?group_id=${product.first.groupId}`)).status, 404)
  assert.equal((await stranger('/api/agents/ours', { method: 'PATCH', json: { name: 'x' } })).status, 404)
  assert.equal((await stranger('/api/agents/ours', { method: 'DELETE' })).status, 404)
})
