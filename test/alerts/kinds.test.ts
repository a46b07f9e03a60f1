import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'
import { saveBackup } from '../../src/limits/alerts/kinds/installation.ts'
import { waitFor } from '#test/wait'
import { startAlerts } from './start-alerts.ts'

const it = await startAlerts()
const { call, world, insertAlert, evaluated, groupId } = it
const minuteMs = 60_000
const request = (agoMs: number, given: object = {}) =>
  newRow(groupId, new Date(world.now.getTime() - agoMs), given)
const requests = (count: number, agoMs: number, given: object = {}) =>
  Array.from({ length: count }, () => request(agoMs, given))

test('a provider that fails fires at the share and the least number, and is over well below it', async () => {
  const alert = await insertAlert('provider_errors', { share: 50, min_requests: 4, minutes: 5 })
  const key = { provider: 'openai', provider_key_id: randomUUID() }
  const failed = { ...key, status_code: 503, error_message: 'OpenAI is overloaded.' }
  const add = (...rows: ReturnType<typeof request>[]) => insertRows(it.database.pool, rows)
  await add(...requests(9, 6 * minuteMs, failed), ...requests(3, 4 * minuteMs, failed))
  assert.deepEqual(await evaluated(alert), [], 'three in five minutes are too few')
  await add(...requests(3, 2 * minuteMs, { ...key, status_code: 400 }))
  assert.deepEqual(await evaluated(alert), ['firing: openai: 50 % of 6 requests failed in 5 minutes'])
  assert.match(it.other.sent.at(-1)?.text ?? '', /^The last error: OpenAI is overloaded\./)
  await add(...requests(2, minuteMs, key))
  assert.deepEqual(await evaluated(alert), [], '37.5 % is below the mark, but not below 35 %')
  await add(request(minuteMs, key))
  assert.deepEqual(await evaluated(alert), ['resolved: openai answers again'])
  assert.deepEqual(await evaluated(alert), [])
  await it.end(alert)
})

test('the slowest of twenty requests is above p95, the second is it', async () => {
  const alert = await insertAlert('provider_latency', { provider: 'slow', p95_ms: 900, minutes: 5 })
  const slow = { provider: 'slow' }
  // Of 20 values p95 is the 19th.
  await insertRows(it.database.pool, [
    ...requests(18, minuteMs, { ...slow, ttft_ms: 100 }),
    request(minuteMs, { ...slow, ttft_ms: 899 }),
    request(minuteMs, { ...slow, ttft_ms: 5_000 }),
    request(minuteMs, { ...slow, status_code: 500, ttft_ms: 9_000 }),
  ])
  assert.deepEqual(await evaluated(alert), [])
  // Of 21 values it is the 20th.
  await insertRows(it.database.pool, [request(minuteMs, { ...slow, ttft_ms: 1_200 })])
  assert.deepEqual(await evaluated(alert), [
    'firing: slow: time to the first token of 1200 ms at p95 in 5 minutes, above 900 ms',
  ])
  world.now = new Date(world.now.getTime() + 10 * minuteMs)
  assert.deepEqual(await evaluated(alert), ['resolved: slow is fast again'])
  await it.end(alert)
})

test('a provider key that is refused in a row fires, also when nobody uses it any more, until it works', async () => {
  const { json: key } = await call('/providers/openai', {
    json: { name: 'Main', api_key: 'sk-test-0123456789abcd' },
  })
  const alert = await insertAlert('provider_key', { failures: 2 })
  const used = { provider: 'openai', provider_key_id: key.id }
  const refused = {
    ...used,
    status_code: 502,
    error_message: 'OpenAI refused the stored provider key (status 401).',
  }
  const add = (agoMs: number, given: object) => insertRows(it.database.pool, [request(agoMs, given)])
  await add(50_000, refused)
  await add(40_000, used)
  await add(30_000, refused)
  assert.deepEqual(await evaluated(alert), [], 'not in a row')
  // The request was served by another provider; its trail says why.
  const refusal = {
    provider: 'openai',
    provider_key_id: key.id,
    model: 'm',
    status_code: 403,
    error_code: 'provider_error',
  }
  const other = { ...refusal, provider: 'other', provider_key_id: randomUUID(), status_code: 200 }
  await add(20_000, { provider: 'other', provider_key_id: other.provider_key_id, attempts: [refusal, other] })
  assert.deepEqual(await evaluated(alert), [
    'firing: The openai key "Main" (…abcd) stopped working: refused 2 times in a row',
  ])
  world.now = new Date(world.now.getTime() + 3 * 60 * minuteMs)
  assert.deepEqual(await evaluated(alert), [], 'silence repairs nothing')
  await add(1_000, used)
  assert.deepEqual(await evaluated(alert), ['resolved: The openai key "Main" works again or is off'])
  assert.ok(!JSON.stringify(it.other.sent).includes('sk-test'))
  await it.end(alert)
})

test('a model without a price fires until it has one', async () => {
  const unpriced = { model: 'new-model', input_cost: null, output_cost: null }
  await insertRows(it.database.pool, [
    request(minuteMs, unpriced),
    request(minuteMs, { ...unpriced, status_code: 500 }),
  ])
  const alert = await insertAlert('unpriced_model', {})
  assert.deepEqual(await evaluated(alert), [
    'firing: new-model has no price: the cost of 1 request in 7 days is not known',
  ])
  world.priced.add('new-model')
  assert.deepEqual(await evaluated(alert), ['resolved: new-model has a price, or is no longer used'])
  await it.end(alert)
})

test('of a limit each percentage fires once until it starts again, and of several the largest', async () => {
  const limitId = randomUUID()
  const limit = {
    name: 'Budget of June',
    metric: 'cost',
    amount: '100',
    resetsAt: new Date('2027-07-01T00:00:00Z'),
  }
  world.limit = { ...limit, used: '49.99' }
  const { id } = (await call('/api/v1/alerts', { json: { name: 'b', kind: 'disk', is_active: false } })).json
  await it.query(`update alerts.rules set kind = 'budget', is_active = true, config = $2 where id = $1`, [
    id,
    JSON.stringify({ limit_id: limitId, at: [50, 80, 100] }),
  ])
  const alert = (await call(`/api/v1/alerts/${id}`)).json
  const steps: [string, string[]][] = [
    ['49.99', []],
    ['50', ['firing: Budget of June: 50 % used, $50 of $100']],
    ['79.99', []],
    ['104.5', ['firing: Budget of June: 104 % used, $104.50 of $100']],
    ['60', []],
    ['100', []],
  ]
  for (const [used, expected] of steps) {
    world.limit = { ...limit, used }
    assert.deepEqual(await evaluated(alert), expected, used)
  }
  // In floating point this is a little less than 58 percent.
  world.limit = { ...limit, amount: '0.001', used: '0.00058' }
  await it.query(`update alerts.rules set config = $2 where id = $1`, [
    id,
    JSON.stringify({ limit_id: limitId, at: [58] }),
  ])
  assert.deepEqual(await evaluated(alert), ['firing: Budget of June: 58 % used, $0.00058 of $0.001'])
  await it.query(`update alerts.rules set config = $2 where id = $1`, [
    id,
    JSON.stringify({ limit_id: limitId, at: [50, 80, 100] }),
  ])
  world.limit = { ...limit, used: '55', resetsAt: new Date('2027-08-01T00:00:00Z') }
  assert.deepEqual(await evaluated(alert), ['firing: Budget of June: 55 % used, $55 of $100'])
  await it.end(alert)
})

test('a service is down and up again, each once; an incident counts, and maintenance changes nothing', async () => {
  for (const name of ['shop', 'unwatched']) {
    assert.equal((await call('/api/services', { json: { name } })).status, 201)
    await call('/api/incidents', { json: { service: name, cause: 'The pool is empty.' } })
  }
  // After the events, which would make the product evaluate it.
  const alert = await insertAlert('service_down', { services: ['shop'] })
  assert.deepEqual(await evaluated(alert), ['firing: shop is down'])
  assert.match(it.other.sent.at(-1)?.text ?? '', /^The pool is empty\. Since /)
  assert.deepEqual(await evaluated(alert), [])
  await it.query(`update records.services set state = 'maintenance' where name = 'shop'`)
  assert.deepEqual(await evaluated(alert), [])
  await it.query(`update records.services set state = 'up' where name = 'shop'`)
  assert.deepEqual(await evaluated(alert), [], 'the incident is open')
  await it.query(`update records.incidents set closed_at = now()`)
  assert.deepEqual(await evaluated(alert), ['resolved: shop is up again'])
  await it.query(`update records.services set state = 'maintenance' where name = 'shop'`)
  assert.deepEqual(await evaluated(alert), [])
  await it.end(alert)
})

test('a backup that failed fires until one succeeds, and so does one that is missing', async () => {
  const alert = await insertAlert('backup_failed', { max_age_hours: 48 })
  const { database } = it
  await saveBackup(database.tables(), null)
  assert.deepEqual(await evaluated(alert), [])
  await saveBackup(database.tables(), 'No space left on device')
  assert.deepEqual(await evaluated(alert), ['firing: Backup failed: No space left on device'])
  await saveBackup(database.tables(), 'No space left on device')
  assert.deepEqual(await evaluated(alert), [])
  await saveBackup(database.tables(), null)
  assert.deepEqual(await evaluated(alert), ['resolved: A backup succeeded again'])
  world.now = new Date(Date.now() + 49 * 60 * minuteMs)
  assert.deepEqual(await evaluated(alert), ['firing: The last backup is 2 days old'])
  await it.end(alert)
})

test('a disk below the mark fires, and is over 2 percent above it; a server that ended is forgotten', async () => {
  const alert = await insertAlert('disk', { min_free_percent: 10 })
  const measure = async (host: string, freeBytes: number) => {
    world.disk = { host, freeBytes, totalBytes: 100 }
    return evaluated(alert)
  }
  assert.deepEqual(await measure('one', 10), [])
  assert.deepEqual(await measure('one', 9), ['firing: Disk of one is nearly full: 9 % free, 0.0 GiB'])
  assert.deepEqual(await measure('two', 60), [], 'another server measures: the first is as full as before')
  assert.deepEqual(await measure('one', 11), [])
  assert.deepEqual(await measure('one', 12), ['resolved: Disk of one has room again'])
  assert.deepEqual(await measure('one', 2), ['firing: Disk of one is nearly full: 2 % free, 0.0 GiB'])
  world.now = new Date(world.now.getTime() + 6 * minuteMs)
  assert.deepEqual(await measure('two', 60), ['resolved: Disk of one has room again'])
  await it.end(alert)
})

test('an alert that is being deleted does not fire again, for nobody would end it', async () => {
  world.disk = { host: 'full', freeBytes: 1, totalBytes: 100 }
  const alert = await insertAlert('disk', {})
  assert.equal((await evaluated(alert)).length, 1)
  const blocker = await it.database.pool.connect()
  await blocker.query('begin')
  // So long the message for the end takes, and the other process evaluates meanwhile.
  await blocker.query('lock table notifications.notifications in exclusive mode')
  const deleting = it.end(alert)
  await waitFor('the end', async () => {
    const { rows } = await it.query('select ended_at from alerts.firings where alert_id = $1', [alert.id])
    return rows[0]?.ended_at !== null
  })
  const sent = await evaluated(alert)
  await blocker.query('rollback')
  blocker.release()
  await deleting
  world.disk = { host: 'one', freeBytes: 50, totalBytes: 100 }
  assert.deepEqual(
    sent.filter((title) => title.startsWith('firing')),
    [],
  )
})
