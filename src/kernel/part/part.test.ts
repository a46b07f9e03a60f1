import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#kernel/log'
import { createLifecycle, partsFor, readinessOf, type Part } from './index.ts'

const log = await createLog({ level: 'silent', form: 'json' })

function createRecorder() {
  const calls: string[] = []
  const part = (name: string, fails: { start?: boolean; stop?: boolean } = {}): Part => ({
    name,
    async start() {
      calls.push(`start ${name}`)
      if (fails.start) throw new Error(`${name} cannot start`)
    },
    async stop() {
      calls.push(`stop ${name}`)
      if (fails.stop) throw new Error(`${name} cannot stop`)
    },
  })
  return { calls, part }
}

test('parts start in order and stop in reverse order, once', async () => {
  const { calls, part } = createRecorder()
  const lifecycle = createLifecycle([part('a'), part('b')], log)
  await lifecycle.start()
  await lifecycle.stop()
  await lifecycle.stop()
  assert.deepEqual(calls, ['start a', 'start b', 'stop b', 'stop a'])
})

test('a start that fails half-way stops what was started, the failed part included', async () => {
  const { calls, part } = createRecorder()
  const lifecycle = createLifecycle(
    [part('a', { stop: true }), part('b'), part('c', { start: true }), part('d')],
    log,
  )
  await assert.rejects(lifecycle.start(), /^Error: c cannot start$/)
  assert.deepEqual(calls, ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'])
  await lifecycle.stop()
  assert.equal(calls.length, 6)
})

test('a part that cannot stop does not keep the others from stopping', async () => {
  const { calls, part } = createRecorder()
  const lifecycle = createLifecycle([part('a'), part('b', { stop: true })], log)
  await lifecycle.start()
  await assert.rejects(lifecycle.stop(), /^Error: b cannot stop$/)
  assert.deepEqual(calls.slice(2), ['stop b', 'stop a'])
})

test('a part with a role runs only where the role does', () => {
  const parts: Part[] = [{ name: 'a' }, { name: 'b', role: 'gateway' }, { name: 'c', role: 'embeddings' }]
  const names = partsFor(new Set(['embeddings']), parts).map(({ name }) => name)
  assert.deepEqual(names, ['a', 'c'])
})

test('a process is ready when all parts are, and degraded while some can serve', async () => {
  const plain: Part = { name: 'plain' }
  const ownCache: Part = {
    name: 'own cache',
    health: async (database) => (database === 'ok' ? 'ready' : 'degraded'),
  }
  const broken: Part = { name: 'broken', health: async () => 'unavailable' }
  assert.equal(await readinessOf([plain, ownCache], 'ok'), 'ready')
  assert.equal(await readinessOf([plain, ownCache], 'down'), 'degraded')
  assert.equal(await readinessOf([plain], 'down'), 'unavailable')
  assert.equal(await readinessOf([plain, broken], 'ok'), 'degraded')
  const onlyOne: Part = { ...broken, role: 'gateway' }
  assert.equal(await readinessOf([plain, onlyOne], 'ok'), 'unavailable')
  assert.equal(
    await readinessOf([plain, onlyOne, { ...plain, role: 'embeddings' }], 'ok'),
    'unavailable',
    'another replica would serve what this gateway refuses',
  )
  const noVectors: Part = { ...broken, role: 'embeddings' }
  assert.equal(await readinessOf([plain, noVectors, { ...plain, role: 'gateway' }], 'ok'), 'degraded')
})
