import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limit } from '#limits/contract'
import { bodyOf, changesOf, draftOf, missing, newDraft } from './limit-draft.ts'
import { byUse, limitText, resetText, shares, stateOf } from './limit-words.ts'

const limit = (more: Partial<Limit> = {}): Limit => ({
  id: 'one',
  group_id: 'group',
  subject: { type: 'group', id: null },
  metric: 'cost',
  amount: '10.00',
  window: 'day',
  action: 'block',
  on_outage: 'refuse',
  unpriced: 'block',
  used: '2.5',
  reserved: '0.5',
  starts_at: null,
  resets_at: null,
  created_at: '2026-03-01T00:00:00Z',
  ...more,
})

test('used and reserved fit side by side into the bar, however much was used', () => {
  assert.deepEqual(shares(limit()), { used: 25, reserved: 5 })
  assert.deepEqual(shares(limit({ used: '9.8', reserved: '1' })).reserved.toFixed(1), '2.0')
  assert.deepEqual(shares(limit({ used: '12', reserved: '1' })), { used: 100, reserved: 0 })
  assert.deepEqual(shares(limit({ amount: 0, used: 0, reserved: 0 })), { used: 100, reserved: 0 })
})

test('what is reserved brings a limit to its end too', () => {
  assert.equal(stateOf(limit()), 'free')
  assert.equal(stateOf(limit({ used: '7.5', reserved: '0.5' })), 'near')
  assert.equal(stateOf(limit({ used: '9', reserved: '1' })), 'spent')
  const sorted = [limit(), limit({ id: 'spent', used: '10' }), limit({ id: 'near', used: '8' })].toSorted(
    byUse,
  )
  assert.deepEqual(
    sorted.map(({ id }) => id),
    ['spent', 'near', 'one'],
  )
})

test('a limit is said in one line', () => {
  assert.equal(limitText(limit()), '$10.00 a day')
  assert.equal(limitText({ metric: 'requests', amount: 1, window: 'minute' }), '1 request a minute')
  assert.equal(limitText({ metric: 'tokens', amount: 2_000_000, window: 'total' }), '2M tokens in total')
  assert.equal(limitText({ metric: 'concurrent', amount: 5, window: null }), '5 requests at the same time')
  const now = Date.parse('2026-03-10T12:00:00Z')
  assert.equal(resetText('2026-03-10T15:05:00Z', now), 'resets in 3 h 5 min')
  assert.equal(resetText('2026-03-10T12:00:29.100Z', now), 'resets in 30 s')
  assert.equal(resetText('2026-03-10T11:59:00Z', now), 'resets in 1 s')
  assert.equal(resetText(null, now), undefined)
})

test('only what the limit needs is sent', () => {
  const draft = { ...newDraft({ type: 'api_key', id: 'key' }), amount: ' 5 ' }
  assert.deepEqual(bodyOf(draft), {
    subject: { type: 'api_key', id: 'key' },
    metric: 'cost',
    amount: '5',
    window: 'day',
    action: 'block',
    on_outage: 'refuse',
    unpriced: 'block',
  })
  const running = bodyOf({ ...newDraft({}), metric: 'concurrent', amount: '5' })
  assert.deepEqual(
    [running.subject, running.window, running.unpriced],
    [{ type: 'group' }, undefined, undefined],
  )
  assert.deepEqual(changesOf({ ...draftOf(limit()), amount: '20' }), {
    amount: '20',
    action: 'block',
    on_outage: 'refuse',
    unpriced: 'block',
  })
})

test('what is missing is named before anything is sent', () => {
  const draft = { ...newDraft({}), amount: '5' }
  assert.equal(missing(draft), undefined)
  for (const amount of ['', '0', '-1', '1,5', 'ten', '1e3'])
    assert.match(missing({ ...draft, amount }) ?? '', /above 0/, amount)
  assert.match(missing({ ...draft, type: 'tag' }) ?? '', /Choose/)
  assert.match(missing({ ...draft, type: 'user', id: 'label:' }) ?? '', /Choose/)
  assert.match(missing({ ...draft, metric: 'tokens', amount: '1.5' }) ?? '', /whole number/)
})
