import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault, faults } from '#kernel/errors'
import type { Database } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createLog } from '#kernel/log'
import { failureOf } from './failure.ts'
import { createHealth } from './health.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const database = { tables: () => ({}), listener: {} } as unknown as Database
const metrics = { called: () => undefined, rested: () => undefined, watch: () => undefined }
const overloaded = failureOf(new Fault(faults.provider, 'overloaded'), 503)

function opened() {
  const health = createHealth({ database, events: createEvents(log), log, metrics })
  for (let each = 0; each < 5; each++) {
    health.began('key', 'model')
    health.ended('key', 'model', overloaded)
  }
  assert.ok(health.restsUntil('key', 'model') > performance.now())
  return health
}

test('an exception of our own is no success of the key that was used', () => {
  const health = opened()
  health.began('key', 'model')
  health.ended('key', 'model', undefined)
  assert.ok(health.restsUntil('key', 'model') > performance.now())
  assert.equal(health.running('key'), 0)
})

test('a call that worked is', () => {
  const health = opened()
  health.began('key', 'model')
  health.ended('key', 'model', null)
  assert.equal(health.restsUntil('key', 'model'), 0)
})
