import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusShown } from './tickets-address.ts'
import { unfinished } from './ticket-words.ts'

test('the list begins with what is not finished, and stays so while priority and assignee are chosen', () => {
  assert.equal(statusShown({}), unfinished)
  assert.equal(statusShown({ priority: 'high', assignee: 'a' }), unfinished)
  assert.equal(statusShown({ priority: 'high', status: 'done' }), 'done')
  assert.equal(statusShown({ priority: 'high', status: 'all' }), undefined)
})

test('a link to a period shows tickets of every status, and the board has a column for each', () => {
  assert.equal(statusShown({ completed_since: '2026-11-01' }), undefined)
  assert.equal(statusShown({ stale_days: '14' }), undefined)
  assert.equal(statusShown({ view: 'board' }), undefined)
})
