import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'
import { waitFor } from '#test/wait'
import { startAlerts } from './start-alerts.ts'

const it = await startAlerts()
const { call, world, insertAlert, evaluated, groupId } = it
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const setZone = (time_zone: string) =>
  call(`/api/v1/groups/${groupId}`, { method: 'PATCH', json: { time_zone } })

/** A request that cost this much. */
const cost = (at: string | Date, amount: string, given: object = {}) =>
  newRow(groupId, new Date(at), { input_cost: amount, output_cost: '0', ...given })

test('the spend of a day in the time zone of the group fires once, with the exact sum', async () => {
  // Kathmandu is 5:45 ahead: the 3rd begins there at 18:15 UTC of the 2nd, in the middle of an hour of the sums.
  await setZone('Asia/Kathmandu')
  world.now = new Date('2026-03-03T12:00:00Z')
  const day = await insertAlert('spend', { window: 'day', amount: '10.00' })
  await insertRows(it.database.pool, [
    cost('2026-03-02T18:14:59Z', '5'),
    cost('2026-03-02T18:15:00Z', '3.000000000001'),
    cost('2026-03-02T23:59:00Z', '3'),
    cost('2026-03-03T11:00:00Z', '3.999999999998', { model: 'gpt-6-luna' }),
  ])
  assert.deepEqual(await evaluated(day), [], '9.999999999999 is less than 10')
  await insertRows(it.database.pool, [cost('2026-03-03T11:30:00Z', '0.000000000001')])
  assert.deepEqual(await evaluated(day), ['firing: Spend of the group today: $10, above $10'])
  assert.deepEqual(it.other.sent.at(-1)?.data, {
    subject: { type: 'group' },
    window: 'day',
    amount: '10',
    cost: '10',
    since: '2026-03-02T18:15:00.000Z',
  })
  assert.match(it.other.sent.at(-1)?.text ?? '', /^Most of it: gpt-6-sol \$6, gpt-6-luna \$4\. /)
  assert.deepEqual(await evaluated(day), [], 'the same day again')
  const shown = (await call(`/api/v1/alerts/${day.id}`)).json
  assert.deepEqual([shown.state, shown.last_fired_at], ['firing', '2026-03-03T12:00:00.000Z'])

  world.now = new Date('2026-03-03T18:15:00Z')
  assert.deepEqual(await evaluated(day), [], 'the end of a day is no news')
  assert.equal((await call(`/api/v1/alerts/${day.id}`)).json.state, 'ok')
  await insertRows(it.database.pool, [cost('2026-03-03T18:20:00Z', '11')])
  assert.deepEqual(await evaluated(day), ['firing: Spend of the group today: $11, above $10'])
  await it.end(day)
})

test('weeks begin on Monday, months on the first, and a subject is only what belongs to it', async () => {
  await setZone('UTC')
  const { json: key } = await call('/api/v1/keys', { json: { name: 'CI', scopes: ['gateway'] } })
  // 6 April 2026 is a Monday.
  world.now = new Date('2026-04-08T12:00:00Z')
  await insertRows(it.database.pool, [
    cost('2026-03-31T23:59:59Z', '100'),
    cost('2026-04-01T00:00:00Z', '1'),
    cost('2026-04-05T23:59:59Z', '2'),
    cost('2026-04-06T00:00:00Z', '4', { api_key_id: key.id }),
    cost('2026-04-08T10:00:00Z', '8', { model: 'gpt-6-luna', provider: 'other' }),
  ])
  const subjects = {
    '15': ['month', { type: 'group' }],
    '12': ['week', { type: 'group' }],
    '4': ['week', { type: 'api_key', id: key.id }],
    '8': ['month', { type: 'model', id: 'gpt-6-luna' }],
    '7': ['month', { type: 'provider', id: 'openai' }],
  } as const
  for (const [amount, [window, subject]] of Object.entries(subjects)) {
    const below = await insertAlert('spend', { window, subject, amount: `${amount}.01` })
    const at = await insertAlert('spend', { window, subject, amount })
    assert.deepEqual(await evaluated(below), [], `${amount} ${window}`)
    assert.equal((await call(`/api/v1/alerts/${at.id}`)).json.state, 'firing', `${amount} ${window}`)
    await it.end(below)
    await it.end(at)
  }
})

test('the spend of a tag is that of its requests, in days of UTC', async () => {
  await setZone('Asia/Kathmandu')
  world.now = new Date('2026-05-06T12:00:00Z')
  const tagged = (...tags: string[]) => ({ metadata: { tags } })
  await insertRows(it.database.pool, [
    cost('2026-05-05T23:59:59Z', '5', tagged('night')),
    cost('2026-05-06T00:00:00Z', '3', tagged('night', 'batch')),
    cost('2026-05-06T01:00:00Z', '1.5', { metadata: { tags: 'night, eval' } }),
    cost('2026-05-06T02:00:00Z', '9', tagged('nightly')),
    cost('2026-05-06T03:00:00Z', '9'),
  ])
  const subject = { type: 'tag', id: 'night' }
  const below = await insertAlert('spend', { subject, window: 'day', amount: '4.51' })
  const at = await insertAlert('spend', { subject, window: 'day', amount: '4.5' })
  assert.deepEqual(await evaluated(below), [])
  assert.equal(it.other.sent.at(-1)?.title, 'Spend of the tag "night" today: $4.50, above $4.50')
  assert.equal(it.other.sent.at(-1)?.data['since'], '2026-05-06T00:00:00.000Z')
  // A cost that is corrected counts as it is now.
  await it.query(`update usage.usage_logs set input_cost = '3.01' where metadata -> 'tags' @> '["batch"]'`)
  assert.deepEqual(await evaluated(below), ['firing: Spend of the tag "night" today: $4.51, above $4.51'])
  for (const alert of [below, at]) await it.end(alert)
})

test('an hour far above the same hour of four weeks fires, says which rows made it, and is over with the next usual one', async () => {
  const { json: key } = await call('/api/v1/keys', { json: { name: 'Batch', scopes: ['gateway'] } })
  const hour = Date.UTC(2026, 6, 15, 10)
  // The 28 days before at this hour: 14 days $1.80 and 14 days $2.20, so the median is 2 and the MAD 0.2.
  // Deviation 0.2 * 1.4826 = 0.29652; medium asks for 5 of them: 2 + 1.4826 = 3.4826.
  const rows = Array.from({ length: 28 }, (_, n) => {
    const at = new Date(hour - (n + 1) * dayMs + 60_000)
    return [cost(at, n % 2 === 0 ? '1.8' : '2.2'), cost(new Date(at.getTime() - hourMs), '0.5')]
  }).flat()
  await insertRows(it.database.pool, [
    ...rows,
    cost(new Date(hour + 60_000), '2'),
    cost(new Date(hour + 120_000), '1.4825', { api_key_id: key.id, model: 'gpt-6-luna' }),
  ])
  world.now = new Date(hour + 10 * 60_000)
  const alert = await insertAlert('anomaly', { min_amount: '1' })
  const least = await insertAlert('anomaly', { min_amount: '2' })
  assert.deepEqual(await evaluated(alert), [], '3.4825 is usual')
  await insertRows(it.database.pool, [
    cost(new Date(hour + 180_000), '0.0002', { api_key_id: key.id, model: 'gpt-6-luna' }),
  ])
  assert.deepEqual(await evaluated(alert), [
    'firing: Unusual spend of the group: $3.48 in the hour from 10:00 UTC, usually $2',
  ])
  const last = it.other.sent.at(-1)
  assert.match(
    last?.text ?? '',
    /^Where it comes from: gpt-6-luna with the key "Batch" \$1\.48 \(usually \$0\)\. /,
  )
  assert.ok(Math.abs(Number(last?.data['threshold']) - 3.4826) < 1e-9)
  assert.deepEqual(await evaluated(alert), [])

  world.now = new Date(hour + hourMs + 60_000)
  assert.deepEqual(await evaluated(alert), [], 'the hour before is still unusual')
  world.now = new Date(hour + 2 * hourMs + 60_000)
  assert.deepEqual(await evaluated(alert), ['resolved: Spend is back to usual'])
  assert.deepEqual(await evaluated(alert), [])
  assert.equal(
    (await call(`/api/v1/alerts/${least.id}`)).json.last_fired_at,
    null,
    '1.4826 more is less than $2',
  )
  await it.end(alert)
  await it.end(least)
})

test('an alert about spend that is passed already fires when it is made, also in the console', async () => {
  await insertRows(it.database.pool, [cost(new Date(), '25')])
  const made = await call('/api/v1/alerts', {
    json: { name: 'Now', kind: 'spend', config: { window: 'day', amount: '20' }, severity: 'error' },
  })
  assert.equal(made.json.state, 'firing')
  const [event] = await waitFor('the event', async () => {
    const found = await it.events(made.json.id)
    return found.length > 0 && found
  })
  assert.deepEqual(
    [event?.title, event?.severity, event?.metadata['kind'], event?.metadata['state']],
    ['Spend of the group today: $25, above $20', 'error', 'spend', 'firing'],
  )
})
