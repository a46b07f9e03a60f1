import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member, Role } from '#access/contract'
import { isOnlyOwner, rolesToGive, whyFixed } from './roles.ts'

const member = (user_id: string, role: Role): Member => ({
  user_id,
  role,
  name: user_id,
  email: `${user_id}@example.com`,
  joined_at: '2026-03-01T00:00:00Z',
})

test('nobody hands out more than they have', () => {
  assert.deepEqual(rolesToGive('owner'), ['owner', 'admin', 'member', 'viewer'])
  assert.deepEqual(rolesToGive('admin'), ['admin', 'member', 'viewer'])
  assert.deepEqual(rolesToGive('member'), [])
})

test('the only owner is recognised, one of two is not', () => {
  const one = member('one', 'owner')
  const two = member('two', 'owner')
  assert.equal(isOnlyOwner(one, [one, member('three', 'admin')]), true)
  assert.equal(isOnlyOwner(one, [one, two]), false)
})

test('a fixed place says why', () => {
  const owner = member('one', 'owner')
  const other = member('two', 'member')
  assert.match(whyFixed(owner, [owner, other], 'owner') ?? '', /only owner/)
  assert.match(whyFixed(owner, [owner, member('x', 'owner')], 'admin') ?? '', /Only an owner/)
  assert.equal(whyFixed(other, [owner, other], 'admin'), undefined)
})
