import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAnalytics } from './testing-analytics.ts'
import * as slow from './testing-slow-questions.ts'

const { get, query, call, deploy, groupId } = await startAnalytics()

/** 2,000 of each over 40 days around the end of summer time, by arithmetic; many at the same times. */
const some = (seed: number, of: number): string => `(hashint8extended(n, ${seed}) & 1048575)::int % ${of}`
const moment = (seed: number): string =>
  `'2024-10-07T00:00:00Z'::timestamptz + ${some(seed, 40 * 96)} * interval '15 minutes' + ${some(seed, 7)} * interval '1 millisecond'`
await query(
  `insert into records.deployments (id, group_id, service, environment, status, started_at, finished_at, committed_at,
     is_rework, source, external_id, status_at)
   select gen_random_uuid(), $1, (array['api', 'web', 'Zähler'])[1 + ${some(1, 3)}],
     (array['production', 'prod-eu', 'staging', 'products'])[1 + ${some(2, 4)}],
     (array['succeeded', 'succeeded', 'failed', 'rolled_back'])[1 + ${some(3, 4)}],
     ${moment(4)} - ${some(5, 900)} * interval '1 second', ${moment(4)},
     case when ${some(6, 3)} > 0 then ${moment(4)} - (${some(7, 9_000)} - 100) * interval '1 second' end,
     ${some(8, 5)} = 0, 'test', n, now()
   from generate_series(1, 2000) as n`,
  [groupId],
)
await query(
  `insert into records.services (id, group_id, name, title, interval_s, timeout_ms, expect_status, failures_to_open,
     passes_to_close, allow_private, is_public, is_paused)
   values (gen_random_uuid(), $1, 'api', 'API', 60, 1000, 200, 1, 1, false, false, true)`,
  [groupId],
)
await query(
  `insert into records.incidents (id, group_id, service_id, opened_at, closed_at, cause, source, deployment_id)
   select gen_random_uuid(), $1, s.id, d.finished_at,
     case when external_id::int % 3 > 0 then d.finished_at + interval '11 minutes' end, 'down', 'test', d.id
   from records.deployments d, records.services s where external_id::int % 20 = 0`,
  [groupId],
)
await query(
  `insert into records.tickets (id, group_id, title, description, status, created_at, started_at, completed_at,
     cancelled_at, last_activity_at, status_at, source)
   select gen_random_uuid(), $1, 'T', '', status, created_at, case when ${some(12, 2)} = 0 then created_at end,
     case status when 'done' then created_at + taken end, case status when 'cancelled' then created_at + taken end,
     created_at, created_at, 'test'
   from (select n, (array['open', 'done', 'done', 'cancelled'])[1 + ${some(9, 4)}] as status, ${moment(10)} as created_at,
     ${some(11, 900_000)} * interval '1 second' as taken from generate_series(1, 2000) as n) as made`,
  [groupId],
)
await query(
  `insert into records.devlogs (id, group_id, service, log_type, title, content, tags, metadata, author_kind, created_at)
   select gen_random_uuid(), $1, (array['api', 'web', null])[1 + ${some(13, 3)}], 'note', 'D', '', '{}', '{}',
     (array['ai', 'human', 'human'])[1 + ${some(14, 3)}], ${moment(15)}
   from generate_series(1, 2000) as n`,
  [groupId],
)

const zones = [
  ['Europe/Berlin', '2024-10-21T22:00:00Z', '2024-11-04T23:00:00Z'],
  ['Asia/Kathmandu', '2024-10-21T18:15:00Z', '2024-11-04T18:15:00Z'],
  ['Australia/Lord_Howe', '2024-10-21T13:00:00Z', '2024-11-04T13:00:00Z'],
  ['America/New_York', '2024-10-22T04:00:00Z', '2024-11-05T05:00:00Z'],
] as const

/** From 22 October to 4 November, each figure twice: in a report, and by a question of its own. */
async function compareAll(): Promise<void> {
  for (const [tz, from, to] of zones)
    for (const [service, environment] of [
      [null, null],
      ['api', null],
      ['Zähler', 'production'],
    ] as const) {
      const filter = `${service ? `&service=${encodeURIComponent(service)}` : ''}${environment ? `&environment=${environment}` : ''}`
      const asked = `from=2024-10-22&to=2024-11-04&tz=${tz}${filter}`
      await compareDeployments(asked, [groupId, from, to, service, environment], tz)
      if (environment !== null) continue
      await compareDevlogs(asked, [groupId, from, to, service], tz)
      if (service === null) await compareTickets(asked, [groupId, from, to], tz)
    }
}

async function compareDeployments(asked: string, values: unknown[], tz: string): Promise<void> {
  const report = await get(`deployments?${asked}`)
  const [all, ...services] = await query(slow.sumDeployments, values)
  assert.ok(all)
  near(figuresOf(report), figuresOf(all), asked)
  assert.equal(report.by_service.length, services.length)
  for (const [n, row] of services.entries()) near(figuresOf(report.by_service[n]), figuresOf(row), asked)
  assert.deepEqual(report.per_day, await query(slow.deploymentsPerDay, [...values, tz]), asked)
  const velocity = await get(`velocity?${asked}`)
  const [sums] = await query<Record<string, number>>(slow.sumDelivery, values)
  assert.ok(sums && sums['deployments'] && sums['failures'] !== undefined && sums['rework'] !== undefined)
  for (const field of ['deployments', 'failures', 'unrecovered'])
    assert.equal(velocity[field], sums[field], `${field} ${asked}`)
  near(
    [velocity.change_lead_time.value, velocity.time_to_restore.value, velocity.deployment_rework_rate.value],
    [sums['median_lead_seconds'], sums['median_recovery_seconds'], sums['rework'] / sums['deployments']],
    asked,
  )
}

// oxlint-disable-next-line typescript/no-explicit-any
const figuresOf = (row: any): unknown[] => [
  ...[row.total, row.succeeded, row.failed, row.rolled_back, row.running],
  ...[row.average_build_seconds, row.median_build_seconds, row.p95_build_seconds],
  row.median_lead_seconds ?? row.lead_time?.median_seconds,
  row.average_lead_seconds ?? row.lead_time?.average_seconds,
  row.p95_lead_seconds ?? row.lead_time?.p95_seconds,
]

async function compareTickets(asked: string, values: unknown[], tz: string): Promise<void> {
  const report = await get(`tickets/flow?${asked}`)
  const [sums = {}] = await query<Record<string, number>>(slow.sumTickets, values)
  const fields = Object.keys(sums)
  near(
    fields.map((field) => report[field]),
    fields.map((field) => sums[field]),
    asked,
  )
  assert.deepEqual(report.per_day, await query(slow.ticketsPerDay, [...values, tz]), asked)
}

async function compareDevlogs(asked: string, values: unknown[], tz: string): Promise<void> {
  const report = await get(`devlogs?${asked}`)
  const services = await query<{ service: string | null; total: number; human: number; ai: number }>(
    slow.devlogsPerService,
    values,
  )
  assert.deepEqual(
    report.by_service.map((row: Record<string, unknown>) => without(row, 'ai_share')),
    services,
  )
  assert.deepEqual(
    report.per_day.map((day: Record<string, unknown>) => without(day, 'level')),
    await query(slow.devlogsPerDay, [...values, tz]),
    asked,
  )
  assert.deepEqual(report.heatmap, await query(slow.devlogsPerHour, [...values, tz]), asked)
}

const without = (row: Record<string, unknown>, field: string): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== field))

/** Sums of fractions may differ in their last digits. */
function near(found: readonly unknown[], expected: readonly unknown[], asked: string): void {
  const rounded = (values: readonly unknown[]): unknown[] =>
    values.map((value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value))
  assert.deepEqual(rounded(found), rounded(expected), asked)
}

test('every figure is that of the records, in zones with hours, halves and quarters', compareAll)

test('a change of a record counts at once', async () => {
  const total = async (): Promise<number> => (await get('deployments?from=2024-02-05&to=2024-02-06')).total
  const id = await deploy({
    service: 'api',
    started_at: '2024-02-05T23:59:00Z',
    finished_at: '2024-02-05T23:59:30Z',
  })
  assert.equal(await total(), 1)
  await query(`update records.deployments set finished_at = '2024-02-07T00:00:00Z' where id = $1`, [id])
  assert.equal(await total(), 0)
  assert.equal((await get('deployments?from=2024-02-07&to=2024-02-07')).total, 1)
  assert.equal((await call(`/api/deployments/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await get('deployments?from=2024-02-07&to=2024-02-07')).total, 0)
})

test('a day that a zone left out has no records, and the next one has its own', async () => {
  // Samoa had no 30 December 2011: its clocks went from Thursday to Saturday.
  for (const at of ['2011-12-30T09:59:00Z', '2011-12-30T10:00:00Z'])
    await deploy({ service: 'api', started_at: at, finished_at: at })
  const { per_day: days } = await get('deployments?from=2011-12-29&to=2011-12-31&tz=Pacific/Apia')
  assert.deepEqual(
    days.map((day: { date: string; succeeded: number }) => [day.date, day.succeeded]),
    [
      ['2011-12-29', 1],
      ['2011-12-30', 0],
      ['2011-12-31', 1],
    ],
  )
})
