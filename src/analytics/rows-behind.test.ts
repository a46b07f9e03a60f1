import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAnalytics } from './testing-analytics.ts'

const { get, query, call, deploy, service, groupId } = await startAnalytics()

/** The IDs of the records that a list shows. */
async function listed(path: string): Promise<string[]> {
  const { status, json, text } = await call(`/api/${path}`)
  assert.equal(status, 200, text)
  return json.data.map(({ id }: { id: string }) => id).toSorted()
}

const sorted = (...ids: string[]): string[] => ids.toSorted()
const at = (day: number, time: string): string => `2024-05-0${day}T${time}:00Z`
const period = 'from=2024-05-01&to=2024-05-07'

await service('api')
const build = (day: number, start: string, end: string, fields: object = {}): Promise<string> =>
  deploy({ service: 'api', started_at: at(day, start), finished_at: at(day, end), ...fields })

const [good, failed, rolledBack, repaired, rework, blamed, staging, acrossMidnight] = [
  await build(1, '09:00', '09:10', { environment: 'prod-eu' }),
  await build(1, '10:00', '10:10', { status: 'failed', environment: 'production' }),
  await build(2, '10:00', '10:10', { status: 'rolled_back' }),
  await build(3, '10:00', '10:10'),
  await build(3, '12:00', '12:10', { is_rework: true }),
  await build(5, '10:00', '10:10'),
  await build(5, '11:00', '11:10', { status: 'failed', environment: 'staging' }),
  // It began in the period and ended after it: it belongs to the day of its end.
  await deploy({ service: 'api', started_at: at(7, '23:50'), finished_at: at(8, '00:10') }),
]
await query(
  `insert into records.incidents (id, group_id, service_id, opened_at, cause, source, deployment_id)
   select gen_random_uuid(), $1, id, '2024-05-05T10:20:00Z', 'down', 'test', $2 from records.services`,
  [groupId, blamed],
)

test('the deployments behind a figure are as many as it says', async () => {
  const report = await get(`deployments?${period}`)
  const velocity = await get(`velocity?${period}`)
  const { from, to } = report.period
  const ended = `deployments?ended_since=${from}&ended_until=${to}`
  const all = sorted(good, failed, rolledBack, repaired, rework, blamed, staging)
  assert.deepEqual(await listed(ended), all)
  assert.equal(report.total, 7)
  assert.ok((await listed(`deployments?since=${from}&until=${to}`)).includes(acrossMidnight))
  assert.deepEqual(
    await listed(`${ended}&is_production=true&is_change_failure=true`),
    sorted(failed, rolledBack, repaired, blamed),
  )
  assert.equal(velocity.failures, 4)
  assert.deepEqual(
    await listed(`${ended}&is_production=true`),
    all.filter((id) => id !== staging),
  )
  assert.equal(velocity.deployments, 6)
  assert.deepEqual(await listed(`${ended}&is_rework=true`), [rework])
  assert.equal(velocity.deployment_rework_rate.value, 1 / 6)
  assert.equal((await listed(`${ended}&is_rework=false&is_production=false`)).length, 1)
})

test('the tickets behind a figure are as many as it says', async () => {
  const add = async (fields: object): Promise<string> => {
    const { status, json, text } = await call('/api/tickets', { json: { title: 'T', ...fields } })
    assert.equal(status, 201, text)
    return json.id
  }
  const done = await add({ status: 'done', created_at: at(1, '08:00'), completed_at: at(4, '08:00') })
  await add({ status: 'done', created_at: at(2, '08:00'), completed_at: at(9, '08:00') })
  const old = await add({ created_at: at(2, '09:00') })
  await add({})
  const report = await get(`tickets/flow?${period}`)
  const { from, to } = report.period
  assert.deepEqual(await listed(`tickets?completed_since=${from}&completed_until=${to}`), [done])
  assert.equal(report.completed, 1)
  assert.deepEqual(await listed('tickets?stale_days=14'), [old])
  assert.equal(report.stale_total, 1)
})

test('a filter that is not valid, or that would compare all deployments, is refused by its name', async () => {
  const paramOf = async (path: string): Promise<string> => {
    const { status, json } = await call(`/api/${path}`)
    assert.equal(status, 400, path)
    return json.error.param
  }
  assert.equal(await paramOf('deployments?is_change_failure=true'), 'is_change_failure')
  assert.equal(await paramOf('deployments?is_change_failure=no'), 'is_change_failure')
  assert.equal(await paramOf('deployments?is_rework=maybe'), 'is_rework')
  assert.equal(await paramOf('deployments?ended_since=yesterday'), 'ended_since')
  assert.equal(await paramOf('tickets?stale_days=0'), 'stale_days')
})
