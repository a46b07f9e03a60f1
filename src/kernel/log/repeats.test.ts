import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { createLog } from './index.ts'

async function logInto(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n'))
        lines.push(JSON.parse(line) as Record<string, unknown>)
      done()
    },
  })
  return { lines, log: await createLog({ level: 'info', form: 'json', destination }) }
}

test('the same error is written once per interval, and then how often it came back', async (t) => {
  const { lines, log } = await logInto(t)
  for (let n = 0; n < 1_000; n++)
    log.error({ error: new Error('no space left (req_0190)'), requestId: `req_${n}` }, 'a request failed')
  assert.equal(lines.length, 1)
  t.mock.timers.tick(10_000)
  assert.equal(lines.length, 2)
  const { level, msg, repeated, seconds, requestIds } = lines[1] ?? {}
  assert.deepEqual([level, msg, repeated, seconds], ['error', 'a request failed', 999, 10])
  assert.deepEqual(
    requestIds,
    Array.from({ length: 20 }, (_value, n) => `req_${n + 1}`),
  )
  log.error({ error: new Error('no space left (req_0190)') }, 'a request failed')
  assert.equal(lines.length, 3)
  t.mock.timers.tick(10_000)
  assert.equal(lines.length, 3, 'what came once is not counted')
})

test('errors with another cause and ordinary lines are all written', async (t) => {
  const { lines, log } = await logInto(t)
  log.error({ error: new Error('one') }, 'a request failed')
  log.error({ error: new Error('two') }, 'a request failed')
  log.error({ error: new Error('outer', { cause: new Error('three') }) }, 'a request failed')
  log.error({ error: new Error('outer', { cause: new Error('four') }) }, 'a request failed')
  log.warn({ reason: 'one' }, 'a connection was lost')
  log.warn({ reason: 'two' }, 'a connection was lost')
  log.warn({ reason: 'two', keyId: 'a' }, 'a connection was lost')
  log.info({ status: 200 }, 'request')
  log.info({ status: 200 }, 'request')
  assert.equal(lines.length, 9)
})
