import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'

const limits = { places: 2, perOwner: 1, maxWaiting: 3, waitMs: 60_000 }

test('an owner that holds its share waits for itself, and others find a place', async () => {
  const queue = createFairQueue(limits)
  const first = await queue.enter('busy')
  const second = queue.enter('busy')
  const other = await queue.enter('other')
  assert.ok(first && other)
  first()
  assert.ok(await second)
})

test('owners that wait take turns, however many calls one of them has', async () => {
  const queue = createFairQueue({ ...limits, places: 1 })
  const order: string[] = []
  const held = await queue.enter('a')
  const calls = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (owner) => {
    const leave = await queue.enter(owner)
    order.push(owner)
    leave?.()
  })
  held?.()
  await Promise.all(calls)
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a'])
})

test('a call that waits too long, or behind too many of its owner, gets no place', async () => {
  const queue = createFairQueue({ ...limits, waitMs: 20, maxWaiting: 1 })
  const held = await queue.enter('a')
  const late = queue.enter('a')
  assert.equal(await queue.enter('a'), undefined, 'one waits already')
  assert.equal(await late, undefined, 'its time is over')
  held?.()
  assert.ok(await queue.enter('a'), 'the place is free again')
})
