import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member, Role } from '#access/contract'
import { isOnlyOwner, grantableRoles, whyFixed } from './roles.ts'

const member = (user_id: string, role: Role): Member => ({
  user_id,
  role,
  name: user_id,
  email: `${user_id}@example.com`,
  joined_at: '2026-03-01T00:00:00Z',
})

test('nobody grants a role above their own', () => {
  assert.deepEqual(grantableRoles('owner'), ['owner', 'admin', 'member', 'viewer'])
  assert.deepEqual(grantableRoles('admin'), ['admin', 'member', 'viewer'])
  assert.deepEqual(grantableRoles('member'), [])
})

test('the only owner is recognised, one of two is not', () => {
  const one = member('one', 'owner')
  const two = member('two', 'owner')
  assert.equal(isOnlyOwner(one, [one, member('three', 'admin')]), true)
  assert.equal(isOnlyOwner(one, [one, two]), false)
})

test('a member who cannot be changed has a reason', () => {
  const owner = member('one', 'owner')
  const other = member('two', 'member')
  assert.match(whyFixed(owner, [owner, other], 'owner') ?? '', /only owner/)
  assert.match(whyFixed(owner, [owner, member('x', 'owner')], 'admin') ?? '', /Only an owner/)
  assert.equal(whyFixed(other, [owner, other], 'admin'), undefined)
})
