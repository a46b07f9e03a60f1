import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRuns } from '#test/runs'

const it = await startRuns()
await it.agent('plain')
const error = { status: 401, message: 'bad key' }

test('a key that the provider refuses once is tried again, and the run continues', async () => {
  it.script({ error }, { text: 'Second try.' })
  const run = await it.ask('plain')
  assert.deepEqual([run.status, run.response, it.fake.requests.length], ['completed', 'Second try.', 2])
})

test('a key that the provider refuses again and again ends the run', async () => {
  it.fake.always('openai', { error })
  const run = await it.ask('plain')
  assert.deepEqual([run.status, run.response], ['failed', null])
  assert.match(run.error?.message ?? '', /key/)
  it.fake.always('openai', {})
})
