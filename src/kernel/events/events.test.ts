import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#kernel/log'
import { createEvents } from './index.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const detail = { groupId: 'g', by: null, keyId: 'k', name: 'ci' }

test('listeners receive the events they subscribed to, in order, until they stop', () => {
  const events = createEvents(log)
  const received: string[] = []
  const stop = events.on('api_key.created', (event) => received.push(`${event.event} ${event.name}`))
  events.on('*', (event) => received.push(`* ${event.event}`))
  events.emit('api_key.created', detail)
  stop()
  events.emit('api_key.created', detail)
  assert.deepEqual(received, ['api_key.created ci', '* api_key.created', '* api_key.created'])
})

test("a listener's failure reaches neither the emitter nor the other listeners", () => {
  const events = createEvents(log)
  const received: string[] = []
  events.on('api_key.revoked', () => {
    throw new Error('listener broke')
  })
  events.on('api_key.revoked', () => received.push('second'))
  events.emit('api_key.revoked', detail)
  assert.deepEqual(received, ['second'])
})

test('listeners that begin or stop during an event are heard from the next one on, or not at all', () => {
  const events = createEvents(log)
  const received: string[] = []
  assert.equal(events.hasListeners('api_key.created'), false)
  const stops: (() => void)[] = []
  stops.push(
    events.on('api_key.created', () => {
      received.push('first')
      stops[1]?.()
      if (stops.length === 2) stops.push(events.on('*', () => received.push('late')))
    }),
    events.on('api_key.created', () => received.push('stopped')),
  )
  events.emit('api_key.created', detail)
  events.emit('api_key.created', detail)
  assert.deepEqual(received, ['first', 'first', 'late'])
  assert.equal(events.hasListeners('api_key.revoked'), true)
  for (const stop of stops) stop()
  events.emit('api_key.created', detail)
  assert.equal(received.length, 3)
  assert.equal(events.hasListeners('api_key.created'), false)
})
