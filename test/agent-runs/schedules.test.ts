import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { keyWith, personWith, type Ask } from '#test/people'
import { startProduct } from '#test/product'
import { startRuns } from '#test/runs'
import { waitFor } from '#test/wait'

const it = await startRuns()
await it.agent('plain')
// A second replica on the same database.
const other = await startProduct({ ...it.fake.baseUrls, DATA_DIR: it.config.DATA_DIR }, it.target)

beforeEach(() => {
  it.fake.reset()
  it.fake.always('openai', { text: 'Done.' })
})

const path = '/api/agents/plain/schedules'
const nightly = { cron: '0 3 * * *', time_zone: 'Europe/Berlin', request: 'Look after the orders.' }
async function newSchedule(more: object = {}, by: Ask = it.call): Promise<{ id: string; next_at: string }> {
  const { status, json, text } = await by(path, { json: { ...nightly, ...more } })
  assert.equal(status, 201, text)
  return json
}
const listed = async () => (await it.call(path)).json.data as Schedule[]
const find = async (id: string) => (await listed()).find((each) => each.id === id) as Schedule
const runsOf = async (id: string) =>
  ((await it.call('/api/agent-runs?limit=200')).json.data as Run[]).filter((run) => run.schedule_id === id)
/** As if its time had come so long ago. */
const due = (id: string, ago = '1 minute') =>
  it.admin(`update agents.schedules set next_at = now() - interval '${ago}' where id = '${id}'`, 'status')
/** Every process has looked again after something that it did not take. */
async function looked(): Promise<void> {
  const { id } = await newSchedule({ request: 'A mark.' })
  await due(id)
  await waitFor('a later schedule', async () =>
    (await runsOf(id)).some(({ status }) => status === 'completed'),
  )
}

interface Schedule {
  id: string
  enabled: boolean
  next_at: string | null
  last_at: string | null
  last_run_id: string | null
  last_error: string | null
  runs_as: string
  in_words: string
}
interface Run {
  run_id: string
  schedule_id: string | null
  status: string
  request: string
  started_by: string
}

test('a schedule says when it runs, in words and as a time', async () => {
  const made = await newSchedule()
  const { in_words, enabled, last_at } = await find(made.id)
  assert.deepEqual([in_words, enabled, last_at], ['every day at 3:00', true, null])
  const inBerlin = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' })
  assert.equal(inBerlin.format(new Date(made.next_at)), '03:00')
  assert.ok(Date.parse(made.next_at) > Date.now() && Date.parse(made.next_at) < Date.now() + 25 * 3_600_000)
  const off = await it.call(`${path}/${made.id}`, { method: 'PATCH', json: { enabled: false } })
  assert.deepEqual([off.status, off.json.next_at, off.json.request], [200, null, nightly.request])
  assert.equal((await it.call(`${path}/${made.id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await it.call(`${path}/${made.id}`, { method: 'DELETE' })).status, 404)
})

test('of two replicas one starts the run, and times that were missed are made up for once', async () => {
  const { id } = await newSchedule()
  // Nobody makes a run in the group until both have seen that the time has come.
  const group = await it.hold(
    `select from access.groups where id = '${it.first.groupId}' for update`,
    'status',
  )
  await due(id, '1 year')
  await waitFor('both replicas', async () => {
    const makers = await it.admin(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like 'insert into "agents"."runs"%'`,
      'status',
    )
    return makers.length === 2
  })
  await group.release()
  const run = await waitFor('the run', async () => (await runsOf(id))[0])
  await it.until(run.run_id, 'completed')
  await looked()
  assert.deepEqual(
    (await runsOf(id)).map(({ run_id, request }) => [run_id, request]),
    [[run.run_id, nightly.request]],
  )
  const after = await find(id)
  assert.ok(Date.parse(after.next_at ?? '') > Date.now())
  assert.equal(after.last_run_id, run.run_id)
  await it.call(`${path}/${id}`, { method: 'DELETE' })
})

test('a time is left out while the run before has not ended', async () => {
  const { id } = await newSchedule()
  it.fake.always('openai', { toolCalls: [{ name: 'ask_person', arguments: { question: 'Which?' } }] })
  await due(id)
  const run = await waitFor('the run', async () =>
    (await runsOf(id)).find(({ status }) => status === 'waiting'),
  )
  await due(id)
  await waitFor('the time to pass', async () => (await find(id)).last_error)
  assert.match((await find(id)).last_error ?? '', /had not ended/)
  assert.equal((await runsOf(id)).length, 1)
  // People are notified that it waits, and that it no longer does.
  const bell = async () => (await it.call('/api/v1/notifications')).json.data as { title: string }[]
  await waitFor('the notification', async () =>
    (await bell()).some(({ title }) => title === 'plain waits for a person in a scheduled run'),
  )
  await it.call(`/api/agent-runs/${run.run_id}/cancel`, { method: 'POST' })
  await waitFor('the end of it', async () =>
    (await bell()).some(({ title }) => title === 'plain no longer waits in a scheduled run'),
  )
  it.fake.always('openai', { error: { status: 400, message: 'too odd' } })
  await due(id)
  await waitFor('the failed run', async () =>
    (await bell()).some(({ title }) => title === 'A scheduled run of plain failed'),
  )
  await it.call(`${path}/${id}`, { method: 'DELETE' })
})

test('it has the rights of the person who made or changed it last, and stops when they lost them', async () => {
  const member = await personWith(it, 'member')
  const { id } = await newSchedule({}, member)
  const name = (await find(id)).runs_as
  await due(id)
  const run = await waitFor('the run', async () => (await runsOf(id))[0])
  assert.equal(run.started_by, name)
  await it.until(run.run_id, 'completed')
  const members = `/api/v1/groups/${it.first.groupId}/members/${member.id}`
  assert.ok((await it.call(members, { method: 'PATCH', json: { role: 'viewer' } })).status < 300)
  await due(id)
  await waitFor('the schedule to stop', async () => !(await find(id)).enabled)
  assert.match((await find(id)).last_error ?? '', /may no longer ask agents/)
  assert.equal((await runsOf(id)).length, 1)
  // Those who switch it on again give it their rights.
  const again = await it.call(`${path}/${id}`, { method: 'PATCH', json: { enabled: true } })
  assert.notEqual(again.json.runs_as, name)
  const back = await it.call(`${path}/${id}`, { method: 'PATCH', json: { enabled: true } })
  assert.equal(back.json.last_error, null)
  await it.call(`${path}/${id}`, { method: 'DELETE' })
  const leaving = await personWith(it, 'member')
  const { id: theirs } = await newSchedule({}, leaving)
  const gone = await it.call(`/api/v1/groups/${it.first.groupId}/members/${leaving.id}`, { method: 'DELETE' })
  assert.ok(gone.status < 300, gone.text)
  await due(theirs)
  await waitFor('the schedule to stop', async () => !(await find(theirs)).enabled)
  assert.match((await find(theirs)).last_error ?? '', /no longer in the group/)
  assert.deepEqual(await runsOf(theirs), [])
})

test('only people who may ask make schedules, in their group, with times that come', async () => {
  const { id } = await newSchedule()
  const group = (await it.call('/api/v1/groups', { json: { name: 'Elsewhere' } })).json.id as string
  const stranger = await personWith(it, 'owner', group)
  const change = { method: 'PATCH', json: { enabled: false } } as const
  assert.equal((await stranger(path, { json: nightly })).status, 404)
  assert.equal((await stranger(`${path}/${id}`, change)).status, 404)
  assert.equal((await stranger(`${path}/${id}`, { method: 'DELETE' })).status, 404)
  const viewer = await personWith(it, 'viewer')
  assert.equal((await viewer(path)).status, 200)
  for (const by of [viewer, await keyWith(it, ['agents', 'read', 'admin'])]) {
    assert.equal((await by(path, { json: nightly })).status, 403)
    assert.equal((await by(`${path}/${id}`, change)).status, 403)
    assert.equal((await by(`${path}/${id}`, { method: 'DELETE' })).status, 403)
  }
  for (const bad of [
    { cron: '61 * * * *' },
    { cron: '0 9 30 2 *' },
    { cron: '* * *' },
    { cron: '0 0 9 * * *' },
    { cron: '@daily' },
    { cron: '0 9 * * nix' },
    { cron: 'x'.repeat(101) },
    { time_zone: 'Mars/Base' },
    { request: '  ' },
    { every: 'day' },
  ]) {
    const { status, text } = await it.call(path, { json: { ...nightly, ...bad } })
    assert.equal(status, 400, `${JSON.stringify(bad)} ${text}`)
  }
  assert.equal((await it.call('/api/agents/nobody/schedules', { json: nightly })).status, 404)
  assert.equal((await find(id)).enabled, true)
  await it.agent('short-lived')
  await it.call('/api/agents/short-lived/schedules', { json: nightly })
  await it.call('/api/agents/short-lived', { method: 'DELETE' })
  const [left] = await it.admin(
    "select count(*)::int as n from agents.schedules where agent_id = 'short-lived'",
    'status',
  )
  assert.equal(left?.['n'], 0)
  await other.stop()
})
