import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseDown } from './outage.ts'

const failed = (message: string, code?: string): Error => Object.assign(new Error(message), { code })

test('a lost connection is an outage, with or without a code', () => {
  assert.ok(isDatabaseDown(failed('Connection terminated unexpectedly')))
  assert.ok(isDatabaseDown(failed('timeout exceeded when trying to connect')))
  assert.ok(isDatabaseDown(failed('connect', 'ECONNREFUSED')))
  assert.ok(isDatabaseDown(failed('the database system is starting up', '57P03')))
  assert.ok(isDatabaseDown(failed('database "a" is not currently accepting connections', '55000')))
})

test('a refused value that reads like an outage is none', () => {
  const value = 'invalid input syntax for type uuid: "connection terminated"'
  assert.equal(isDatabaseDown(failed(value, '22P02')), false)
  assert.equal(isDatabaseDown(failed('Key (name)=(connection terminated) already exists.', '23505')), false)
})
