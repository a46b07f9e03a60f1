import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listen, newInitiative, turnOver } from '../src/standups/testing-standup.ts'
import { startFakeProvider } from './fake-provider/index.ts'
import { connectTo } from './harness/embedded-client.ts'
import { exampleModels, keyOf } from './harness/gateway.ts'
import { spawnProduct } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'

test('a server that is killed in the middle of a response loses nothing: the next one shows what was said, says what happened and goes on', async () => {
  const fake = await startFakeProvider()
  after(() => fake.close())
  const environment = {
    ...fake.baseUrls,
    DATA_DIR: temporaryFolder(),
    STANDUP_MODEL: exampleModels.anthropic,
    ANTHROPIC_API_KEY: keyOf('anthropic'),
    RUNTIME: 'builtin',
  }
  const first = await spawnProduct(environment)
  const initiative = await newInitiative(first)
  fake.script('anthropic', { text: 'Hello.' })
  const listener = await listen(first, initiative.standup)
  await turnOver(listener, 1)
  fake.script('anthropic', { text: 'one two three four five six seven eight', chunkEveryMs: 300 })
  await initiative.say('Count.')
  await listener.next('delta', ({ content }) => content.includes('one'))
  await first.end('SIGKILL')
  await listener.ended

  const second = await spawnProduct(environment)
  const status = await connectTo(environment, 'status')
  // As if its time had passed.
  await status.query(
    "update standups.sessions set work_until = now() - interval '1 second' where work is not null",
  )
  await status.end()
  const lastEventId = listener.events.findLast(({ type }) => type !== 'delta')?.id ?? 0
  const resumed = await listen(second, initiative.standup, { lastEventId })
  const { code } = await resumed.next('error')
  assert.equal(code, 'interrupted')
  const partial = resumed.events.find(({ type }) => type === 'message')
  assert.ok(partial?.type === 'message' && partial.interrupted && partial.content.startsWith('one'))

  fake.script('anthropic', { text: 'Nine.' })
  await second.call(`${initiative.standup}/message`, { json: { content: 'Go on.' } })
  await turnOver(resumed, 2)
  assert.equal(resumed.said().at(-1), 'assistant: Nine.')
  const { json } = await second.call(initiative.standup)
  const said = (json.session.events as { type: string; content: string }[])
    .filter(({ type }) => type === 'message')
    .map(({ content }) => content)
  assert.deepEqual(said, ['Hello.', 'Count.', partial.content, 'Go on.', 'Nine.'])
})
