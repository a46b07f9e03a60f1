import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey } from '#access/contract'
import { countStates, expiresSoon, selectKeys, stateOf } from './key-list.ts'
import { readKeysAddress } from './keys-address.ts'

const now = Date.parse('2026-03-10T12:00:00Z')

function key(name: string, more: Partial<ApiKey> = {}): ApiKey {
  return {
    id: name,
    group_id: 'group',
    created_by: null,
    name,
    key_prefix: 'sb-abcd',
    key_suffix: 'wxyz',
    scopes: ['gateway'],
    provider_key_overrides: {},
    allowed_models: null,
    allowed_addresses: null,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    previous_valid_until: null,
    created_at: '2026-03-01T00:00:00Z',
    ...more,
  }
}

const active = key('Build server', { created_at: '2026-03-05T00:00:00Z' })
const older = key('Notebook', { scopes: ['read'] })
const expired = key('Trial', { expires_at: '2026-03-10T11:59:59Z' })
const revoked = key('Lost laptop', { revoked_at: '2026-03-02T00:00:00Z', expires_at: '2026-03-03T00:00:00Z' })
const all = [revoked, older, expired, active]

test('a key that is revoked and expired is shown as revoked', () => {
  assert.deepEqual(
    all.map((each) => stateOf(each, now)),
    ['revoked', 'active', 'expired', 'active'],
  )
  assert.deepEqual(countStates(all, now), { active: 2, expired: 1, revoked: 1 })
})

test('active keys come first, newest first', () => {
  assert.deepEqual(selectKeys(all, '', undefined, now), [active, older, expired, revoked])
})

test('every word must match the name, the visible parts of the key or the scopes', () => {
  assert.deepEqual(selectKeys(all, 'note READ', undefined, now), [older])
  assert.deepEqual(selectKeys(all, 'wxyz', 'expired', now), [expired])
  assert.deepEqual(selectKeys(all, 'nothing', undefined, now), [])
})

test('only an active key expires soon', () => {
  assert.equal(expiresSoon(key('a', { expires_at: '2026-03-12T00:00:00Z' }), now), true)
  assert.equal(expiresSoon(key('a', { expires_at: '2026-05-12T00:00:00Z' }), now), false)
  assert.equal(expiresSoon(expired, now), false)
})

test('unknown search parameters are dropped', () => {
  assert.deepEqual(readKeysAddress({ q: 'ci', state: 'active', new: true, other: 1 }), {
    q: 'ci',
    state: 'active',
    new: true,
  })
  assert.deepEqual(readKeysAddress({ q: '', state: 'lost', new: 'yes' }), {})
})
