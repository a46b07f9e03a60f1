import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '#test/wait'
import { startAnalytics } from './testing-analytics.ts'

const { get, query, service, groupId } = await startAnalytics()

interface TicketFields {
  title: string
  status?: 'open' | 'done' | 'cancelled'
  created: string
  started?: string
  closed?: string
  active?: string
}

async function ticket({
  title,
  status = 'open',
  created,
  started,
  closed,
  active,
}: TicketFields): Promise<void> {
  await query(
    `insert into records.tickets (id, group_id, title, description, status, created_at, started_at, completed_at,
       cancelled_at, last_activity_at, status_at, source)
     values (gen_random_uuid(), $1, $2, '', $3, $4, $5, $6, $7, $8, $4, 'test')`,
    [
      ...[groupId, title, status, created, started ?? null],
      status === 'done' ? closed : null,
      status === 'cancelled' ? closed : null,
      active ?? closed ?? created,
    ],
  )
}

const now = new Date().toISOString()
await ticket({ title: 'T1', status: 'done', created: '2024-06-28T00:00:00Z', closed: '2024-07-01T12:00:00Z' })
await ticket({
  title: 'T2',
  status: 'done',
  created: '2024-07-01T10:00:00Z',
  started: '2024-07-01T12:00:00Z',
  closed: '2024-07-03T10:00:00Z',
})
await ticket({ title: 'T3', created: '2024-07-02T10:00:00Z' })
await ticket({
  title: 'T4',
  status: 'cancelled',
  created: '2024-07-02T11:00:00Z',
  closed: '2024-07-03T11:00:00Z',
})
await ticket({ title: 'T5', created: now })
await ticket({ title: 'T6', created: '2024-01-01T00:00:00Z', active: now })

test('tickets: created against completed, with the open line', async () => {
  const report = await get('tickets/flow?from=2024-07-01&to=2024-07-03')
  assert.deepEqual(
    [report.created, report.completed, report.cancelled, report.net, report.open],
    [3, 2, 1, 0, 3],
  )
  // Before: T1 and T6. Then T2 comes and T1 goes; T3 and T4 come; T2 and T4 go. T3 and T6 stay.
  assert.deepEqual(report.per_day, [
    { date: '2024-07-01', created: 1, completed: 1, open: 2 },
    { date: '2024-07-02', created: 2, completed: 0, open: 4 },
    { date: '2024-07-03', created: 0, completed: 1, open: 2 },
  ])
  assert.deepEqual(report.previous.per_day, [
    { date: '2024-06-28', created: 1, completed: 0, open: 2 },
    { date: '2024-06-29', created: 0, completed: 0, open: 2 },
    { date: '2024-06-30', created: 0, completed: 0, open: 2 },
  ])
})

test('tickets of a short period are also counted by hour, with the open line', async () => {
  assert.equal((await get('tickets/flow?from=2024-06-28&to=2024-07-03')).per_hour, null)
  const { per_hour: hours } = await get('tickets/flow?from=2024-07-02T10:30:00Z&to=2024-07-03T11:30:00Z')
  assert.equal(hours.length, 26)
  // T3 was created before half past ten; T4 comes at eleven, T2 and T4 go the next day.
  assert.deepEqual(hours[0], { at: '2024-07-02T10:00:00.000Z', created: 0, completed: 0, open: 3 })
  assert.deepEqual(hours[1], { at: '2024-07-02T11:00:00.000Z', created: 1, completed: 0, open: 4 })
  assert.deepEqual(hours[24], { at: '2024-07-03T10:00:00.000Z', created: 0, completed: 1, open: 3 })
  assert.deepEqual(hours[25], { at: '2024-07-03T11:00:00.000Z', created: 0, completed: 0, open: 2 })
})

test('tickets: time to resolution and cycle time', async () => {
  const report = await get('tickets/flow?from=2024-07-01&to=2024-07-03')
  // T1 took 84 hours and T2 took 48, 46 of them in progress.
  assert.equal(report.average_resolution_hours, 66)
  assert.equal(report.median_resolution_hours, 66)
  assert.ok(Math.abs(report.p85_resolution_hours - 78.6) < 1e-9)
  assert.equal(report.median_cycle_hours, 46)
  assert.equal(report.previous.average_resolution_hours, null)
  const empty = await get('tickets/flow?from=2023-02-01&to=2023-02-28')
  assert.deepEqual([empty.average_resolution_hours, empty.median_resolution_hours], [null, null])
})

test('tickets: stale ones are open and untouched for 14 days, or as many as asked', async () => {
  const report = await get('tickets/flow')
  assert.equal(report.stale_total, 1)
  assert.deepEqual(
    report.stale.map((row: Record<string, unknown>) => [row['title'], row['last_activity_at']]),
    [['T3', '2024-07-02T10:00:00.000Z']],
  )
  assert.equal((await get('summary')).tickets.stale, 1)
  for (const days of ['0', '367', 'x'])
    assert.deepEqual(await get(`tickets/flow?stale_days=${days}`), { status: 400, param: 'stale_days' })
})

test('summary: how many tickets are open is counted at the end of each period', async () => {
  const { tickets } = await get('summary?from=2024-07-01&to=2024-07-03')
  assert.deepEqual(tickets.open, { value: 2, previous: 2, change: 0 })
  assert.deepEqual(tickets.completed, { value: 2, previous: 0, change: null })
})

test('velocity: completed tickets per week', async () => {
  const report = await get('velocity?from=2024-06-24&to=2024-07-07')
  assert.deepEqual(
    report.per_week.map((week: Record<string, unknown>) => [week['week'], week['completed_tickets']]),
    [
      ['2024-06-24', 0],
      ['2024-07-01', 2],
    ],
  )
  assert.equal(report.completed_tickets_per_week.value, 1)
})

test('devlogs: by service, by people and AI, by day and by hour of the week', async () => {
  const log = (at: string, kind: string, name: string | null) =>
    query(
      `insert into records.devlogs (id, group_id, service, log_type, title, content, tags, metadata, author_kind, created_at)
       values (gen_random_uuid(), $1, $2, 'note', 'title', '', '{}', '{}', $3, $4)`,
      [groupId, name, kind, at],
    )
  // The night in which Berlin sets its clocks back: half past two happens twice.
  await log('2024-10-26T21:30:00Z', 'human', 'checkout')
  await log('2024-10-27T00:30:00Z', 'ai', 'checkout')
  await log('2024-10-27T01:30:00Z', 'human', null)
  await log('2024-10-24T12:00:00Z', 'ai', 'search')
  const report = await get('devlogs?from=2024-10-26&to=2024-10-28&tz=Europe/Berlin')
  assert.deepEqual([report.total, report.human, report.ai, report.ai_share], [3, 2, 1, 1 / 3])
  assert.deepEqual(report.by_service, [
    { service: 'checkout', total: 2, human: 1, ai: 1, ai_share: 0.5 },
    { service: null, total: 1, human: 1, ai: 0, ai_share: 0 },
  ])
  assert.deepEqual(report.per_day, [
    { date: '2024-10-26', human: 1, ai: 0, level: 1 },
    { date: '2024-10-27', human: 1, ai: 1, level: 3 },
    { date: '2024-10-28', human: 0, ai: 0, level: 0 },
  ])
  assert.equal(report.per_hour.length, 73)
  assert.deepEqual(
    report.per_hour.filter(({ human, ai }: { human: number; ai: number }) => human + ai > 0),
    [
      { at: '2024-10-26T21:00:00.000Z', human: 1, ai: 0 },
      { at: '2024-10-27T00:00:00.000Z', human: 0, ai: 1 },
      { at: '2024-10-27T01:00:00.000Z', human: 1, ai: 0 },
    ],
  )
  const search = await get('devlogs?from=2024-10-24&to=2024-10-24&service=search')
  assert.deepEqual(search.per_hour[12], { at: '2024-10-24T12:00:00.000Z', human: 0, ai: 1 })
  assert.deepEqual(report.heatmap, [
    { weekday: 6, hour: 23, count: 1 },
    { weekday: 7, hour: 2, count: 2 },
  ])
  assert.deepEqual(report.previous, {
    ...{ total: 1, human: 0, ai: 1, ai_share: 1 },
    per_day: [
      { date: '2024-10-23', human: 0, ai: 0 },
      { date: '2024-10-24', human: 0, ai: 1 },
      { date: '2024-10-25', human: 0, ai: 0 },
    ],
  })
  assert.equal((await get('devlogs?from=2023-01-01&to=2023-01-02')).ai_share, null)
})

test('health: uptime, coverage, incidents and bars of a service', async () => {
  // The job of the start deletes sums of checks as old as these.
  await waitFor('the retention of the start', async () => {
    const done = await query("select from jobs.job where name = 'records.retention' and state = 'completed'")
    return done.length > 0
  })
  const id = await service('shop')
  await service('unchecked')
  await query(
    `update records.services set created_at = '2024-08-01T00:00:00Z', url = 'https://shop.example', interval_s = 60,
       next_check_at = null where id = $1`,
    [id],
  )
  const day = (at: string, ok: number, failed: number, maintenance: number) =>
    query(`insert into records.health_rollups values ($1, 'day', $2, $3, $4, $5, $3, $3 * 50, 90)`, [
      id,
      at,
      ok,
      failed,
      maintenance,
    ])
  await day('2024-08-01T00:00:00Z', 1_440, 0, 0)
  await day('2024-08-02T00:00:00Z', 1_400, 40, 0)
  await day('2024-08-03T00:00:00Z', 0, 0, 100)
  const incident = (opened: string, closed: string) =>
    query(
      `insert into records.incidents (id, group_id, service_id, opened_at, closed_at, cause, source)
       values (gen_random_uuid(), $1, $2, $3, $4, 'down', 'test')`,
      [groupId, id, opened, closed],
    )
  await incident('2024-08-02T10:00:00Z', '2024-08-02T10:30:00Z')
  await incident('2024-08-02T12:00:00Z', '2024-08-02T13:30:00Z')
  const report = await get('health?from=2024-08-01&to=2024-08-04')
  assert.equal(report.bucket, 'day')
  const [shop, unchecked] = report.services
  assert.equal(shop.service, 'shop')
  // 2840 of 2880 checks outside maintenance.
  assert.ok(Math.abs(shop.uptime_percent - 98.6111) < 0.0001)
  // 2980 of 4 × 1440 checks ran.
  assert.ok(Math.abs(shop.coverage_percent - (100 * 2_980) / 5_760) < 1e-9)
  assert.equal(shop.average_latency_ms, 50)
  assert.equal(shop.incidents, 2)
  assert.equal(shop.incident_seconds, 7_200)
  assert.equal(shop.mean_time_to_restore_seconds, 3_600)
  // Four days without two hours, for two incidents.
  assert.equal(shop.mean_time_between_failures_seconds, (4 * 86_400 - 7_200) / 2)
  assert.deepEqual(
    shop.buckets.map((bucket: Record<string, unknown>) => bucket['state']),
    ['up', 'degraded', 'maintenance', 'none'],
  )
  assert.deepEqual([unchecked.uptime_percent, unchecked.coverage_percent], [null, null])
  assert.equal(unchecked.buckets[0].state, 'none')
  assert.deepEqual(report.incidents, { value: 2, previous: 0, change: null })
  const only = await get('health?from=2024-08-02&to=2024-08-02&service=unchecked')
  assert.equal(only.services.length, 1)
  assert.equal(only.uptime_percent.value, null)

  // 123 days from Monday, 1 July: 17 weeks and four days, the last week after the end of summer time.
  const long = await get('health?from=2024-07-01&to=2024-10-31&tz=Europe/Berlin&service=shop')
  assert.equal(long.bucket, 'week')
  const { buckets } = long.services[0]
  assert.equal(buckets.length, 18)
  assert.deepEqual([buckets[0].at, buckets[17].at], ['2024-06-30T22:00:00.000Z', '2024-10-27T23:00:00.000Z'])
  const counts = { ok: 2_840, failed: 40, maintenance: 100, state: 'degraded', average_latency_ms: 50 }
  assert.deepEqual(buckets[4], { at: '2024-07-28T22:00:00.000Z', ...counts })
  assert.deepEqual([buckets[3].state, buckets[5].state], ['none', 'none'])
})

test('health: a day of checks is the day of the zone with its date', async () => {
  const id = await service('west')
  await query(
    `update records.services set created_at = '2024-09-01T00:00:00Z', url = 'https://west.example', interval_s = 60,
       next_check_at = null where id = $1`,
    [id],
  )
  for (const day of [9, 10, 11])
    await query(`insert into records.health_rollups values ($1, 'day', $2, $3, 0, 0, 0, 0, 0)`, [
      id,
      `2024-09-${String(day).padStart(2, '0')}T00:00:00Z`,
      1_440 - day,
    ])
  const days = async (tz: string) => {
    const [{ buckets, coverage_percent: coverage }] = (
      await get(`health?from=2024-09-10&to=2024-09-11&service=west&tz=${tz}`)
    ).services
    return [...buckets.map(({ ok }: { ok: number }) => ok), Math.round(coverage)]
  }
  for (const tz of ['America/New_York', 'Pacific/Kiritimati', 'UTC'])
    assert.deepEqual(await days(tz), [1_430, 1_429, 99], tz)

  await query(`insert into records.health_rollups values ($1, 'day', $2, 7, 0, 0, 0, 0, 0)`, [
    id,
    new Date().toISOString().slice(0, 10),
  ])
  // The zone in which today's date in UTC is that of tomorrow for half of the day.
  const { buckets } = (await get('health?days=40&service=west&tz=Etc/GMT%2B12')).services[0]
  assert.equal(buckets.at(-1).ok, 7)
})

test('health: recent checks are shown by the quarter of an hour', async () => {
  const id = await service('recent')
  const from = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 2 * 3_600_000)
  const at = new Date(from.getTime() + 20 * 60_000)
  await query(`insert into records.health_rollups values ($1, 'minute', $2, 3, 1, 0, 4, 400, 200)`, [id, at])
  const to = new Date(from.getTime() + 2 * 3_600_000)
  const report = await get(`health?from=${from.toISOString()}&to=${to.toISOString()}&service=recent`)
  assert.equal(report.bucket, 900)
  const { buckets, uptime_percent: uptime } = report.services[0]
  assert.equal(uptime, 75)
  assert.equal(buckets.length, 8)
  assert.deepEqual(buckets[1], {
    at: new Date(from.getTime() + 15 * 60_000).toISOString(),
    ok: 3,
    failed: 1,
    maintenance: 0,
    state: 'degraded',
    average_latency_ms: 100,
  })
})

test('the newest bar of the last 24 hours has the checks that ran in it', async () => {
  const id = await service('newest')
  // One check a minute, for 25 hours.
  await query(
    `insert into records.health_rollups
     select $1, 'minute', date_trunc('minute', now()) - n * interval '1 minute', 1, 0, 0, 0, 0, null
     from generate_series(0, 1500) n`,
    [id],
  )
  // A page asks for the time 24 hours before its own clock, and the request takes a while.
  const from = new Date(Date.now() - 24 * 3_600_000 - 3_000).toISOString()
  const { bucket, services } = await get(`health?service=newest&from=${from}`)
  const states = services[0].buckets.map(({ state }: { state: string }) => state)
  assert.deepEqual([bucket, states.length, states.at(-1)], [900, 96, 'up'])
})
