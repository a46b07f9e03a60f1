import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/product'
import { createThread } from './index.ts'

/** Counts its calls; exits on `die`. */
const file = join(temporaryFolder(), 'counting.ts')
writeFileSync(
  file,
  `import { serveThread } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))}
let calls = 0
serveThread(async (request) => {
  if (request === 'die') process.exit(3)
  if (request === 'fail') throw new Error('it failed')
  calls += 1
  return { response: calls }
})`,
)

test('a thread that dies rejects its calls, and the next call starts a new one', async () => {
  const thread = createThread<string, number>({ file, idleMs: 60_000 })
  assert.equal(await thread.call('count'), 1)
  assert.equal(await thread.call('count'), 2)
  await assert.rejects(thread.call('fail'), /it failed/)
  await assert.rejects(thread.call('die'), /exit code 3/)
  assert.equal(await thread.call('count'), 1)
  await thread.close()
})

test('an idle thread is ended and started again at the next call', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const thread = createThread<string, number>({ file, idleMs: 60_000 })
  assert.equal(await thread.call('count'), 1)
  t.mock.timers.tick(60_000)
  assert.equal(await thread.call('count'), 1)
  await thread.close()
})
