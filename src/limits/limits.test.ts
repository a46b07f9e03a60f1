import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf, lockTable } from '#test/database'
import { keyWith, personWith } from '#test/people'
import { waitFor } from '#test/wait'
import { ask, model, readLimit, removeLimit, setLimit, setPrice, startPriced } from './testing-limits.ts'

const product = await startPriced()
const group = { type: 'group' }

test('a limit of requests lets its amount through and refuses the next with everything a client needs', async () => {
  const limit = await setLimit(product, { subject: group, metric: 'requests', amount: 2, window: 'month' })
  const first = await ask(product)
  assert.equal(first.status, 200, first.text)
  assert.equal(first.headers.get('x-ratelimit-limit-requests'), '2')
  assert.equal(first.headers.get('x-ratelimit-remaining-requests'), '1')
  assert.match(first.headers.get('x-ratelimit-reset-requests') ?? '', /^(\d+h)?(\d+m)?\d+s$/)
  assert.equal((await ask(product)).status, 200)
  const refused = await ask(product)
  assert.equal(refused.status, 429)
  const { error } = refused.json
  assert.deepEqual([error.type, error.code, error.param], ['rate_limit_error', 'limit_exceeded', null])
  const metrics = await product.call('/metrics', { key: product.key })
  assert.match(metrics.text, /^signalbox_limits_refused_total\{metric="requests",reason="spent"\} 1$/m)
  assert.deepEqual(error.limit, {
    id: limit.id,
    subject: { type: 'group', id: null },
    metric: 'requests',
    amount: 2,
    used: 2,
    resets_at: limit.resets_at,
  })
  assert.match(error.message, /2 requests of 2 requests are used.*will reset at .*admin/)
  assert.equal(refused.headers.get('x-should-retry'), 'false')
  assert.ok(Number(refused.headers.get('retry-after')) > 60)
  assert.equal(refused.headers.get('x-ratelimit-remaining-requests'), '0')
  const { json: row } = await product.call(`/api/v1/logs/${refused.headers.get('x-request-id')}`)
  assert.deepEqual([row.status_code, row.total_cost, row.provider_key_id], [429, '0', null])
  const { used, reserved } = await readLimit(product, limit.id)
  assert.deepEqual([used, reserved], [2, 0])
  await removeLimit(product, limit.id)
  assert.equal((await ask(product)).status, 200)
})

test('a budget counts exact cost, and is passed by one request at most', async () => {
  const key = await product.call('/api/v1/keys', { json: { name: 'budget', scopes: ['gateway'] } })
  const subject = { type: 'api_key', id: key.json.id as string }
  const limit = await setLimit(product, { subject, metric: 'cost', amount: '0.005', window: 'day' })
  assert.deepEqual([limit.amount, limit.used, limit.unpriced], ['0.005', '0', 'block'])
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) {
    statuses.push((await ask(product, {}, key.json.key)).status)
    await readLimit(product, limit.id)
  }
  // 0.002, 0.004, 0.006: the third still had something left.
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  assert.equal((await readLimit(product, limit.id)).used, '0.006')
  const { json } = await ask(product, {}, key.json.key)
  assert.deepEqual([json.error.code, json.error.limit.used], ['budget_exceeded', '0.006'])
  // For whom the limit is not: what was reached, and whose it is.
  const reached = 'Limit reached: the budget of the day for the key “budget”'
  await waitFor('the event', async () => {
    const { json: page } = await product.call('/api/console/events?type=config&limit=50')
    return (page.data as { title: string }[]).some(({ title }) => title === reached)
  })
  // Other keys are not concerned, and a higher amount counts at once.
  assert.equal((await ask(product)).status, 200)
  const raised = await product.call(`/api/v1/limits/${limit.id}`, { method: 'PATCH', json: { amount: '1' } })
  assert.deepEqual([raised.status, raised.json.amount, raised.json.used], [200, '1', '0.006'])
  assert.equal((await ask(product, {}, key.json.key)).status, 200)
  await removeLimit(product, limit.id)
})

test('a limit is set, and the event is there, also where the name of its key cannot be read', async () => {
  const key = await product.call('/api/v1/keys', { json: { name: 'nameless', scopes: ['gateway'] } })
  const subject = { type: 'api_key', id: key.json.id as string }
  await administer('alter view alerts.api_keys rename to hidden', databaseOf(product))
  try {
    const limit = await setLimit(product, { subject, metric: 'tokens', amount: 7, window: 'day' })
    await waitFor('the event', async () => {
      const { json: page } = await product.call('/api/console/events?type=config&limit=50')
      return (page.data as { title: string }[]).some(({ title }) =>
        title.startsWith('Limit created: 7 tokens'),
      )
    })
    await removeLimit(product, limit.id)
  } finally {
    await administer('alter view alerts.hidden rename to api_keys', databaseOf(product))
  }
})

test('a limit begins with what its window has used already', async () => {
  const user = 'began-before'
  for (let n = 0; n < 3; n++) await ask(product, { user })
  const subject = { type: 'user', id: `label:${user}` }
  const tokens = await setLimit(product, { subject, metric: 'tokens', amount: 3_000, window: 'month' })
  assert.equal(tokens.used, 3_300)
  const requests = await setLimit(product, { subject, metric: 'requests', amount: 10, window: 'total' })
  assert.deepEqual([requests.used, requests.resets_at], [3, null])
  const refused = await ask(product, { user })
  assert.deepEqual([refused.status, refused.json.error.limit.id], [429, tokens.id])
  for (const { id } of [tokens, requests]) await removeLimit(product, id)
})

test('a tag is counted as it is limited: without the spaces around it, and only the first ten', async () => {
  const many = [...Array.from({ length: 10 }, (_, n) => `tag ${n}`), 'eleventh']
  for (const tags of [[' early '], 'late, early', many]) await ask(product, { metadata: { tags } })
  for (const [id, used] of [
    ['early', 2],
    ['tag 9', 1],
    ['eleventh', 0],
  ] as const) {
    const subject = { type: 'tag', id }
    const limit = await setLimit(product, { subject, metric: 'requests', amount: 9, window: 'month' })
    assert.equal(limit.used, used, id)
    await removeLimit(product, limit.id)
  }
})

test('each subject limits its own requests and no others', async () => {
  const key = await product.call('/api/v1/keys', { json: { name: 'own', scopes: ['gateway'] } })
  const tagged = { metadata: { tags: 'night, batch' } }
  const cases: [object, object, string][] = [
    [{ type: 'api_key', id: key.json.id }, {}, key.json.key],
    [{ type: 'user', id: 'label:ada' }, { user: 'ada' }, product.key],
    [{ type: 'model', id: 'gpt-6-*' }, {}, product.key],
    [{ type: 'model', id: model }, {}, product.key],
    [{ type: 'provider', id: 'beta' }, {}, product.key],
    [{ type: 'tag', id: 'batch' }, tagged, product.key],
  ]
  const otherModel = { model: 'claude-sonnet-5-5' }
  for (const [subject, body, secret] of cases) {
    const limit = await setLimit(product, { subject, metric: 'requests', amount: 0, window: 'hour' })
    const name = JSON.stringify(subject)
    assert.equal((await ask(product, body, secret)).status, 429, name)
    assert.equal((await ask(product, otherModel)).status, 200, name)
    await removeLimit(product, limit.id)
    assert.equal((await ask(product, body, secret)).status, 200, name)
  }
})

test('a person is limited by all keys that they made', async () => {
  const person = await personWith(product, 'member')
  const mine = await person('/api/v1/keys', { json: { name: 'mine', scopes: ['gateway'] } })
  assert.equal((await ask(product, {}, mine.json.key)).status, 200)
  const subject = { type: 'user', id: person.id }
  const limit = await setLimit(product, { subject, metric: 'requests', amount: 2, window: 'day' })
  assert.equal(limit.used, 1)
  assert.equal((await ask(product, {}, mine.json.key)).status, 200)
  assert.equal((await ask(product, {}, mine.json.key)).status, 429)
  assert.equal((await ask(product)).status, 200)
  await removeLimit(product, limit.id)
})

test('a person is limited by their embeddings too, which are counted when they have ended', async () => {
  const person = await personWith(product, 'member')
  const mine = await person('/api/v1/keys', { json: { name: 'mine', scopes: ['gateway', 'embeddings'] } })
  const subject = { type: 'user', id: person.id }
  const limit = await setLimit(product, { subject, metric: 'tokens', amount: 500, window: 'day' })
  const json = {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 1_000, total_tokens: 1_000 },
  }
  product.fake.script('openai', { body: { json } })
  const asked = { model: 'text-embedding-3-small', input: 'Hello' }
  const { status } = await product.call('/v1/embeddings', { key: mine.json.key, json: asked })
  assert.equal(status, 200)
  assert.equal((await readLimit(product, limit.id)).used, 1_000)
  assert.equal((await ask(product, {}, mine.json.key)).status, 429)
  await removeLimit(product, limit.id)
})

test('the first request of a window counts once, also where nothing was reserved for it', async () => {
  const amounts = { metric: 'cost', amount: '1', window: 'month', action: 'warn' }
  const limit = await setLimit(product, { subject: { type: 'user', id: 'label:first' }, ...amounts })
  // As at the beginning of a window: no process has a share, and nobody has read what was used.
  await administer(`delete from limits.windows where limit_id = '${limit.id}'`, databaseOf(product))
  assert.equal((await ask(product, { user: 'first' })).status, 200)
  assert.equal((await readLimit(product, limit.id)).used, '0.002')
  await removeLimit(product, limit.id)
})

test('requests of an outage count once in a window that began during it', async () => {
  const amounts = { metric: 'requests', amount: 100, window: 'month', action: 'warn' }
  const limit = await setLimit(product, { subject: { type: 'user', id: 'label:outage' }, ...amounts })
  await administer(`delete from limits.windows where limit_id = '${limit.id}'`, databaseOf(product))
  const outage = await lockTable('limits.windows', product)
  assert.equal((await ask(product, { user: 'outage' })).status, 200)
  // The first report was sent in vain and will be sent again.
  await waitFor('the outage', () => product.logged().includes('limits cannot be counted in the database'))
  for (let n = 0; n < 3; n++) assert.equal((await ask(product, { user: 'outage' })).status, 200)
  await outage.release()
  const used = async (): Promise<number> => Number((await readLimit(product, limit.id)).used)
  await waitFor('all reports', async () => (await used()) >= 4)
  assert.equal(await used(), 4)
  await removeLimit(product, limit.id)
})

test('requests at the same time are counted until they end', async () => {
  const limit = await setLimit(product, { subject: group, metric: 'concurrent', amount: 2 })
  assert.deepEqual([limit.window, limit.resets_at], [null, null])
  const user = 'slow'
  for (let n = 0; n < 2; n++) product.fake.script('openai', { headersAfterMs: 2_000 })
  const slow = [ask(product, { user }), ask(product, { user })]
  await waitFor(
    'both',
    () => product.fake.requests.filter((each) => JSON.stringify(each).includes(user)).length === 2,
  )
  const refused = await ask(product)
  assert.deepEqual([refused.status, refused.json.error.limit.metric], [429, 'concurrent'])
  assert.equal(refused.headers.get('x-should-retry'), null)
  for (const { status } of await Promise.all(slow)) assert.equal(status, 200)
  assert.equal((await ask(product)).status, 200)
  await removeLimit(product, limit.id)
})

test('a limit that warns refuses nothing and says so in a header', async () => {
  const limit = await setLimit(product, {
    ...{ subject: group, metric: 'cost', amount: '0', window: 'day', action: 'warn' },
  })
  const { status, headers } = await ask(product)
  assert.equal(status, 200)
  assert.ok(headers.get('x-signalbox-limit-warning')?.startsWith(`limit ${limit.id}: `))
  await removeLimit(product, limit.id)
})

test('a model without a price is refused under a budget unless it allows that; a free one stays usable', async () => {
  const limit = await setLimit(product, { subject: group, metric: 'cost', amount: '0', window: 'day' })
  const unknown = { model: 'gpt-unheard-of' }
  const { status, json } = await ask(product, unknown)
  assert.deepEqual([status, json.error.code], [429, 'budget_exceeded'])
  assert.match(json.error.message, /gpt-unheard-of has no known price.*Set a price/)
  await product.call(`/api/v1/limits/${limit.id}`, { method: 'PATCH', json: { unpriced: 'allow' } })
  assert.equal((await ask(product, unknown)).status, 404, 'the provider does not know it')
  await setPrice(product, 'gpt-gift', '0', '0')
  assert.equal((await ask(product, { model: 'gpt-gift' })).status, 404, 'it was asked of the provider')
  assert.equal((await ask(product)).status, 429)
  await removeLimit(product, limit.id)
})

test('what is not a limit is refused with the field', async () => {
  const good = { subject: group, metric: 'cost', amount: '1', window: 'day' }
  const bad: [object, string][] = [
    [{ ...good, amount: '-1' }, 'amount'],
    [{ ...good, amount: '1e5' }, 'amount'],
    [{ ...good, amount: '0.0000000000001' }, 'amount'],
    [{ ...good, amount: '99999999999999999999' }, 'amount'],
    [{ ...good, metric: 'tokens', amount: '1.5' }, 'amount'],
    [{ ...good, metric: 'concurrent', amount: 1 }, 'window'],
    [{ subject: group, metric: 'cost', amount: '1' }, 'window'],
    [{ ...good, subject: { type: 'group', id: 'x' } }, 'subject.id'],
    [{ ...good, subject: { type: 'api_key', id: crypto.randomUUID() } }, 'subject.id'],
    [{ ...good, subject: { type: 'api_key', id: `' or 1=1` } }, 'subject.id'],
    [{ ...good, subject: { type: 'user', id: crypto.randomUUID() } }, 'subject.id'],
    [{ ...good, subject: { type: 'provider', id: 'nobody' } }, 'subject.id'],
    [{ ...good, subject: { type: 'model', id: '*a*b*c*d*e*' } }, 'subject.id'],
    [{ ...good, subject: { type: 'tag', id: 'a,b' } }, 'subject.id'],
    [{ ...good, subject: { type: 'tag' } }, 'subject.id'],
  ]
  for (const [json, param] of bad) {
    const answer = await product.call('/api/v1/limits', { json })
    assert.deepEqual([answer.status, answer.json.error.param], [400, param], JSON.stringify(json))
  }
})

test('members read limits, admins set them, other groups do not see them', async () => {
  const limit = await setLimit(product, { subject: group, metric: 'requests', amount: 1_000, window: 'day' })
  const member = await personWith(product, 'member')
  assert.equal((await member(`/api/v1/limits/${limit.id}`)).status, 200)
  assert.equal((await member('/api/v1/limits')).json.data.length, 1)
  for (const options of [{ method: 'PATCH', json: { amount: 5 } }, { method: 'DELETE' }])
    assert.equal((await member(`/api/v1/limits/${limit.id}`, options)).status, 403)
  const plain = await keyWith(product, ['gateway'])
  assert.equal((await plain('/api/v1/limits')).status, 403)
  const other = await product.call('/api/v1/groups', { json: { name: 'Other' } })
  const stranger = await personWith(product, 'owner', other.json.id)
  for (const options of [{}, { method: 'PATCH', json: { amount: 5 } }, { method: 'DELETE' }])
    assert.equal((await stranger(`/api/v1/limits/${limit.id}`, options)).status, 404)
  await removeLimit(product, limit.id)
})

test('a limit can be tried on the requests of the last 30 days', async () => {
  const user = 'tried'
  for (let n = 0; n < 4; n++) await ask(product, { user })
  const subject = { type: 'user', id: `label:${user}` }
  const { status, json, text } = await product.call('/api/v1/limits/try', {
    json: { subject, metric: 'cost', amount: '0.003', window: 'month' },
  })
  assert.equal(status, 200, text)
  // After 0.002 and 0.004 nothing is left.
  assert.deepEqual(json.would_have_blocked, { requests: 2, cost: '0.004' })
  assert.deepEqual([json.days.length, json.days[0].requests, json.days[0].blocked], [1, 4, 2])
  assert.equal(json.is_complete, true)
  assert.equal((await product.call('/api/v1/limits')).json.data.length, 0)
})
