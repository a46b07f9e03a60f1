import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupOfAddress, withGroup } from './addressed-group.ts'

const id = '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'

test('the group is the last parameter of an address, once, and goes without a trace', () => {
  for (const path of ['/', '/logs?model=%22a%22&status=error', '/docs#tag/x?y', '/a?b=1#c']) {
    const named = withGroup(path, id)
    assert.equal(groupOfAddress(new URL(named, 'http://localhost').search), id)
    assert.equal(withGroup(named, id), named)
    assert.equal(withGroup(named, null), path)
  }
  assert.equal(withGroup('/a?b=1#c', id), `/a?b=1&group_id=${id}#c`)
})

test('what is not the ID of a group is ignored', () => {
  assert.equal(groupOfAddress('?group_id=mine'), null)
  assert.equal(groupOfAddress('?group=1'), null)
})
