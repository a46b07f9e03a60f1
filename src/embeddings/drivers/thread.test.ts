import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '#test/product'
import { createThread } from './thread.ts'

/** Counts its calls; dies when it is told to. */
const file = join(temporaryFolder(), 'counting.ts')
writeFileSync(
  file,
  `import { serveThread } from ${JSON.stringify(join(import.meta.dirname, 'thread.ts'))}
let calls = 0
serveThread(async (request) => {
  if (request === 'die') process.exit(3)
  if (request === 'fail') throw new Error('it failed')
  calls += 1
  return { answer: calls }
})`,
)

test('a thread that dies fails its calls, and the next call has a new one', async () => {
  const thread = createThread<string, number>(file, {}, 60_000)
  assert.equal(await thread.call('count'), 1)
  assert.equal(await thread.call('count'), 2)
  await assert.rejects(thread.call('fail'), /it failed/)
  await assert.rejects(thread.call('die'), /ended with 3/)
  assert.equal(await thread.call('count'), 1)
  await thread.close()
})

test('a thread that nobody calls is ended and comes back when it is called', async () => {
  const thread = createThread<string, number>(file, {}, 20)
  assert.equal(await thread.call('count'), 1)
  await pause(200)
  assert.equal(await thread.call('count'), 1)
  await thread.close()
})
