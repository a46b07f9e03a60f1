import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { exampleModels } from '#test/gateway'
import { platform, startRuns } from '#test/runs'
import { waitFor } from '#test/wait'
import type { Run } from '#agents/contract'

/** One place, so that the next run has to wait for it. */
const it = await startRuns({ AGENT_MAX_RUNS: '1' })
await it.agent('plain')
await it.agent('slow', {}, exampleModels.anthropic)
await it.agent('outer', { mcp_servers: platform, permission_mode: 'bypassPermissions' })
beforeEach(() => it.fake.reset())

const askInner = (agent_id: string, more: object = {}) => ({
  toolCalls: [{ name: 'ask_agent', arguments: { agent_id, request: 'Help.', ...more } }],
})
const start = (agent: string, request: string): Promise<Run> => it.ask(agent, { request, async: true })
const cancel = (id: string) => it.call(`/api/agent-runs/${id}/cancel`, { method: 'POST' })
const asked = (): number => it.fake.requests.length
/** The runs that a run asked for, the oldest first. */
const runsOf = async (id: string): Promise<Run[]> => {
  const all = (await it.call('/api/agent-runs?limit=200')).json.data as Run[]
  return all.filter((run) => run.parent_run_id === id).toReversed()
}
const statusesIn = async (id: string): Promise<string[]> =>
  ((await it.call(`/api/agent-runs/${id}/events`)).text.match(/(?<="status":")\w+/g) ?? []) as string[]

test('what exceeds the limit is queued, runs in the order in which it was asked for, and can be cancelled before', async () => {
  it.script({ hang: 'before-headers' }, { text: 'Two.' }, { text: 'Four.' })
  const one = await start('plain', 'one')
  await waitFor('the first to run', () => asked() === 1)
  const [two, three, four] = [
    await start('plain', 'two'),
    await start('plain', 'three'),
    await start('plain', 'four'),
  ]
  const ended = await cancel(three.run_id)
  assert.deepEqual([ended.status, ended.json.status, ended.json.steps], [200, 'cancelled', 0])
  assert.deepEqual(await statusesIn(three.run_id), ['queued', 'cancelled'])
  for (const { run_id: id } of [two, four]) assert.equal((await it.run(id)).status, 'queued')
  assert.equal(asked(), 1)
  assert.equal((await cancel(one.run_id)).json.status, 'cancelled')
  assert.equal((await it.until(four.run_id, 'completed')).response, 'Four.')
  assert.equal((await it.run(two.run_id)).response, 'Two.')
  const sent = it.fake.requests.map(({ json }) => /\b(one|two|three|four)\b/.exec(JSON.stringify(json))?.[0])
  assert.deepEqual(sent, ['one', 'two', 'four'])
})

test('a run that waits for another one does not take its place', async () => {
  it.script(askInner('plain'), { text: 'From within.' }, { text: 'From outside.' })
  const outer = await it.ask('outer')
  assert.deepEqual(
    [outer.status, outer.response],
    ['completed', 'From outside.'],
    JSON.stringify(outer.error),
  )
  const [inner] = await runsOf(outer.run_id)
  assert.deepEqual([inner?.status, inner?.response], ['completed', 'From within.'])
  assert.equal(outer.parent_run_id, null)
})

test('what a run and those that it asked for cost is counted once each', async () => {
  it.script(askInner('plain'), { text: 'Inside.' }, { text: 'Outside.' })
  const outer = await it.ask('outer', { limits: { max_cost: 1, max_steps: 7 } })
  const [inner] = await runsOf(outer.run_id)
  assert.ok(inner)
  assert.deepEqual([outer.steps, inner.steps], [2, 1])
  assert.deepEqual([inner.limits.max_cost, inner.limits.max_steps], [1, 7])
  for (const run of [outer, inner]) {
    const log = (await it.call(`/api/v1/logs?session=${run.run_id}`)).json.data as { total_tokens: number }[]
    assert.equal(log.length, run.steps)
    assert.equal(
      run.usage.total_tokens,
      log.reduce((sum, { total_tokens }) => sum + total_tokens, 0),
    )
  }
})

test('agents ask each other three deep at most', async () => {
  it.script(
    askInner('outer'),
    askInner('outer'),
    askInner('plain'),
    { text: 'C.' },
    { text: 'B.' },
    { text: 'A.' },
  )
  const first = await it.ask('outer')
  assert.equal(first.status, 'completed', JSON.stringify(first.error))
  const [second] = await runsOf(first.run_id)
  const [third] = await runsOf(second?.run_id ?? '')
  assert.equal(third?.tool_calls[0]?.status, 'failed')
  assert.match(third?.tool_calls[0]?.result ?? '', /at most 3 deep/)
  assert.deepEqual(await runsOf(third?.run_id ?? ''), [])
})

test('with a run that is cancelled or fails, those that it asked for are cancelled, wherever they are', async () => {
  for (const end of ['cancelled', 'failed'] as const) {
    it.fake.reset()
    it.fake.always('anthropic', { hang: 'before-headers' })
    const asksInner = askInner('slow', { wait_seconds: 0 })
    it.script(asksInner, asksInner, { hang: 'before-headers' })
    const limits = end === 'failed' ? { limits: { max_steps: 2 } } : {}
    const outer = await it.ask('outer', { async: true, ...limits })
    if (end === 'cancelled') {
      await waitFor('one that runs and one that is queued', async () => {
        const inner = await runsOf(outer.run_id)
        return inner.map(({ status }) => status).join(' ') === 'running queued'
      })
      await cancel(outer.run_id)
    }
    await it.until(outer.run_id, end)
    const ended = await waitFor('their end', async () => {
      const inner = await runsOf(outer.run_id)
      return inner.every(({ status }) => status === 'cancelled') && inner
    })
    assert.equal(ended.length, 2)
  }
})
