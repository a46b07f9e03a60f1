import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, decimal, writeDecimal } from '#kernel/decimal'
import { startGateway } from '#test/gateway'
import { ask, make, pullRequest, session, setPrice, tellStory, twin } from '../testing-story.ts'

/** The example of docs/links.md, worked out by hand. */

const it = await startGateway()
await setPrice(it)
const story = await tellStory(it)
// 1,000 and 2,000 tokens in, 500 and 100 out: 0.003 + 0.0012.
await ask(it, story.work.key, 1_000, 500)
await ask(it, story.work.key, 2_000, 100)
// Its branch names the ticket, and nothing else does: 0.003 + 0.002.
const guess = await session(it, { prompt: 'Go on', branch: 'fix/12-rounding', folder: '/home/dev/checkout' })
await ask(it, guess.key, 3_000, 1_000)
// One session for three tickets: 0.00098 + 0.00002.
const [second, third] = [
  await make(it, '/api/tickets', { title: 'Second' }),
  await make(it, '/api/tickets', { title: 'Third' }),
]
const both = await session(it, { prompt: `Do ${story.ticket}, ${second.id} and ${third.id}` })
await ask(it, both.key, 980, 10)
// Belongs to nothing: 0.0005 + 0.0005.
await ask(it, null, 500, 250)

const costs = async (query: string) => {
  const answer = await it.call(`/api/v1/costs?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

test('the cost of a ticket has what is exact, inferred and shared apart', async () => {
  const { exact, inferred, shared, unattributed, total, sessions, requests } = await costs(
    `type=ticket&id=${story.ticket}`,
  )
  // A third of 0.001 has no end: the first of the three gets what is left.
  assert.deepEqual([exact, inferred, shared], ['0.0042', '0.005', '0.000333333334'])
  assert.deepEqual([unattributed, total, sessions, requests], ['0', '0.009533333334', 3, 4])
  assert.equal((await costs(`type=ticket&id=${second.id}`)).shared, '0.000333333333')
})

test('the four layers of all things are the total of the usage log', async () => {
  const all = await costs('type=ticket')
  assert.deepEqual(
    [all.exact, all.inferred, all.shared, all.unattributed, all.total],
    ['0.0042', '0.005', '0.001', '0.001', '0.0112'],
  )
  const ledger = (await it.call('/api/v1/logs/summary')).json
  assert.deepEqual([all.total, all.requests], [ledger.total_cost, ledger.requests])
  assert.deepEqual(
    all.data.map((row: { title: string; total: string }) => [row.title, row.total]),
    [
      ['Totals are off by one cent', '0.009533333334'],
      ['Second', '0.000333333333'],
      ['Third', '0.000333333333'],
    ],
  )
  for (const type of ['pull_request', 'initiative', 'person', 'project'])
    assert.equal((await costs(`type=${type}`)).total, ledger.total_cost, type)
})

test('a pull request and an initiative have what was done for them, by the sessions behind them', async () => {
  const request = await costs(`type=pull_request&id=${encodeURIComponent(pullRequest)}`)
  assert.deepEqual([request.exact, request.inferred, request.total], ['0.0042', '0.005', '0.0092'])
  // The session for three tickets has one initiative: the others have none.
  const initiative = await costs('type=initiative&id=totals-that-add-up')
  assert.deepEqual([initiative.exact, initiative.inferred, initiative.total], ['0.0052', '0.005', '0.0102'])
})

test('a project is the folder of its sessions', async () => {
  const project = await costs(`type=project&id=${encodeURIComponent('/home/dev/checkout')}`)
  assert.deepEqual([project.exact, project.sessions, project.requests], ['0.0092', 2, 3])
})

test('a period leaves out what came before and after it', async () => {
  const soon = new Date(Date.now() + 60_000).toISOString()
  assert.equal((await costs(`type=ticket&id=${story.ticket}&from=${soon}`)).total, '0')
  assert.equal((await costs('type=ticket&from=2026-01-01&to=2026-01-31')).total, '0')
  assert.equal((await it.call('/api/v1/costs?type=ticket&from=2026-02-01&to=2026-01-01')).status, 400)
  assert.equal((await it.call('/api/v1/costs?type=ticket&from=yesterday')).status, 400)
  assert.equal((await it.call('/api/v1/costs?type=planet')).status, 400)
})

test('what is spent after a failed deployment is rework', async () => {
  assert.equal((await costs(`type=ticket&id=${story.ticket}`)).rework, '0')
  await make(it, '/api/deployments', {
    ...{
      service: 'checkout',
      environment: 'production',
      version: '1.4.1',
      status: 'failed',
      commit: 'c'.repeat(40),
    },
    ...{ started_at: new Date(Date.now() - 2_000).toISOString(), finished_at: new Date().toISOString() },
  })
  await ask(it, story.work.key, 6_000, 500)
  const { rework, exact } = await costs(`type=ticket&id=${story.ticket}`)
  assert.deepEqual([rework, exact], ['0.007', '0.0112'])
})

test('a request that a person links counts for that thing alone', async () => {
  const [request] = (await it.call('/api/v1/logs?limit=1')).json.data
  await make(it, '/api/v1/links', {
    ...{ from: { type: 'request', id: request.request_id }, to: { type: 'ticket', id: third.id } },
  })
  assert.equal((await costs(`type=ticket&id=${third.id}`)).exact, '0.007')
  assert.equal((await costs(`type=ticket&id=${story.ticket}`)).exact, '0.0042')
})

test('two assistants with the same session ID share its requests', async () => {
  const [one, other] = [
    await make(it, '/api/tickets', { title: 'One' }),
    await make(it, '/api/tickets', { title: 'Other' }),
  ]
  const first = await session(it, { prompt: `Do ${one.id}`, folder: '/home/dev/one' })
  await twin(it, first.key, { prompt: `Do ${other.id}`, folder: '/home/dev/other' })
  // 0.002 + 0.002, with a key that a person made.
  const { key } = (await it.call('/api/v1/keys', { json: { name: 'mine', scopes: ['gateway'] } })).json
  await ask({ ...it, key }, first.key, 2_000, 1_000)
  for (const { id } of [one, other]) assert.equal((await costs(`type=ticket&id=${id}`)).total, '0.002')
  for (const folder of ['/home/dev/one', '/home/dev/other'])
    assert.equal((await costs(`type=project&id=${encodeURIComponent(folder)}`)).shared, '0.002')
})

const total = (amounts: readonly string[]): string => writeDecimal(amounts.map(decimal).reduce(add))

/** All of the above: 0.0112 + 0.007 + 0.004. */
const ledger = '0.0222'
const byType = {
  // 0.0042 + 0.007 of the third; 0.005; 0.001 + 0.004; the request without a session.
  ticket: ['0.0112', '0.005', '0.005', '0.001'],
  // What a person linked to a ticket is no longer that of the pull request.
  pull_request: ['0.0042', '0.005', '0', '0.013'],
  initiative: ['0.0052', '0.005', '0', '0.012'],
  // All others were sent with a key that nobody made.
  person: ['0.004', '0', '0', '0.0182'],
  // 0.0042 + 0.007 + 0.005 in checkout, 0.001 in notes.
  project: ['0.0172', '0', '0.004', '0.001'],
}

for (const [type, layers] of Object.entries(byType))
  test(`the costs of each ${type.replace('_', ' ')} and what belongs to none are the usage log, to the last digit`, async () => {
    const all = await costs(`type=${type}`)
    assert.deepEqual([all.exact, all.inferred, all.shared, all.unattributed, all.total], [...layers, ledger])
    assert.equal((await it.call('/api/v1/logs/summary')).json.total_cost, ledger)
    const totals = all.data.map((row: { total: string }) => row.total)
    assert.equal(total([...totals, all.unattributed]), ledger)
    for (const { title, url: _url, id, ...listed } of all.data) {
      const { unattributed: _none, ...one } = await costs(`type=${type}&id=${encodeURIComponent(id)}`)
      assert.deepEqual(one, listed, title)
    }
  })
