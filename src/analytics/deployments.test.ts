import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAnalytics } from './testing-analytics.ts'

const { get, deploy, service, query, groupId } = await startAnalytics()

/** Monday, 6 May 2024, to Sunday: five deployments ended, one runs. The week before has one. */
for (const fields of [
  {
    service: 'checkout',
    started_at: '2024-05-06T10:00:00Z',
    finished_at: '2024-05-06T10:04:00Z',
    committed_at: '2024-05-06T07:04:00Z',
  },
  {
    service: 'checkout',
    started_at: '2024-05-07T10:00:00Z',
    finished_at: '2024-05-07T10:02:00Z',
    committed_at: '2024-05-07T09:02:00Z',
  },
  {
    service: 'checkout',
    status: 'failed',
    started_at: '2024-05-07T12:00:00Z',
    finished_at: '2024-05-07T12:06:00Z',
  },
  {
    service: 'search',
    status: 'rolled_back',
    started_at: '2024-05-08T09:00:00Z',
    finished_at: '2024-05-08T09:10:00Z',
  },
  { service: 'search', status: 'started', started_at: '2024-05-09T09:00:00Z' },
  {
    service: 'search',
    environment: 'staging',
    started_at: '2024-05-12T23:30:00Z',
    finished_at: '2024-05-12T23:40:00Z',
  },
  { service: 'checkout', started_at: '2024-05-02T10:00:00Z', finished_at: '2024-05-02T10:10:00Z' },
] as const)
  await deploy(fields)

const week = 'from=2024-05-06&to=2024-05-12'

test('deployments: counts, rates, build time and lead time of a week', async () => {
  const report = await get(`deployments?${week}`)
  assert.equal(report.days, 7)
  assert.deepEqual(
    [report.total, report.succeeded, report.failed, report.rolled_back, report.running],
    [6, 3, 2, 1, 1],
  )
  // 3 of 5 that ended. Build times are 240, 120, 360, 600 and 600 s: 1920 / 5.
  assert.equal(report.success_rate, 0.6)
  assert.equal(report.failure_rate, 0.4)
  assert.equal(report.average_build_seconds, 384)
  assert.equal(report.median_build_seconds, 360)
  assert.equal(report.p95_build_seconds, 600)
  // From commit to end: 3 hours and 1 hour.
  assert.deepEqual(report.lead_time, {
    median_seconds: 7_200,
    average_seconds: 7_200,
    p95_seconds: 10_440,
    deployments: 2,
  })
  assert.equal(report.deployments_per_day, 3 / 7)
  assert.deepEqual(
    [report.previous.total, report.previous.success_rate, report.previous.average_build_seconds],
    [1, 1, 600],
  )
})

test('deployments: every day has a row, and weeks begin on Monday', async () => {
  const report = await get(`deployments?${week}`)
  assert.deepEqual(report.per_day, [
    { date: '2024-05-06', succeeded: 1, failed: 0 },
    { date: '2024-05-07', succeeded: 1, failed: 1 },
    { date: '2024-05-08', succeeded: 0, failed: 1 },
    { date: '2024-05-09', succeeded: 0, failed: 0 },
    { date: '2024-05-10', succeeded: 0, failed: 0 },
    { date: '2024-05-11', succeeded: 0, failed: 0 },
    { date: '2024-05-12', succeeded: 1, failed: 0 },
  ])
  assert.equal(report.previous.per_day.length, 7)
  assert.deepEqual(report.previous.per_day[3], { date: '2024-05-02', succeeded: 1, failed: 0 })
  assert.deepEqual(report.per_week, [{ week: '2024-05-06', succeeded: 3, failed: 2 }])
  assert.equal(report.per_hour, null)
  const two = await get('deployments?from=2024-05-05&to=2024-05-06')
  assert.deepEqual(two.per_week, [
    { week: '2024-04-29', succeeded: 0, failed: 0 },
    { week: '2024-05-06', succeeded: 1, failed: 0 },
  ])
  assert.equal(two.per_hour.length, 48)
  assert.deepEqual(two.per_hour[34], { at: '2024-05-06T10:00:00.000Z', succeeded: 1, failed: 0 })
})

test('deployments: by service, and only of a service or an environment', async () => {
  const report = await get(`deployments?${week}`)
  assert.deepEqual(
    report.by_service.map((row: Record<string, unknown>) => [
      row['service'],
      row['total'],
      row['success_rate'],
      row['average_build_seconds'],
    ]),
    // Checkout: 2 of 3 and (240 + 120 + 360) / 3; search: 1 of 2 and 600 both times.
    [
      ['checkout', 3, 2 / 3, 240],
      ['search', 3, 0.5, 600],
    ],
  )
  const search = await get(`deployments?${week}&service=search`)
  assert.deepEqual([search.total, search.success_rate, search.lead_time], [3, 0.5, null])
  assert.equal(search.previous.total, 0)
  assert.equal((await get(`deployments?${week}&environment=staging`)).total, 1)
})

test('deployments: days are those of the time zone', async () => {
  // In Tokyo the deployment of 12 May, 23:40 UTC, ended on 13 May.
  const tokyo = await get(`deployments?${week}&tz=Asia/Tokyo`)
  assert.equal(tokyo.total, 5)
  assert.equal(tokyo.period.from, '2024-05-05T15:00:00.000Z')
  const next = await get('deployments?from=2024-05-13&to=2024-05-13&tz=Asia/Tokyo')
  assert.deepEqual(next.per_day, [{ date: '2024-05-13', succeeded: 1, failed: 0 }])
})

test('deployments: days with 23 and 25 hours are days', async () => {
  const at = (time: string) => ({ service: 'clock', started_at: time, finished_at: time })
  // 31 March, 00:30 in Berlin, and 1 April, 00:30: the clock was set forward in between.
  await deploy(at('2024-03-30T23:30:00Z'))
  await deploy(at('2024-03-31T22:30:00Z'))
  const spring = await get('deployments?from=2024-03-30&to=2024-04-01&tz=Europe/Berlin&service=clock')
  assert.deepEqual(spring.period, {
    from: '2024-03-29T23:00:00.000Z',
    to: '2024-04-01T22:00:00.000Z',
    days: 3,
    tz: 'Europe/Berlin',
    previous_from: '2024-03-26T23:00:00.000Z',
    previous_to: '2024-03-29T23:00:00.000Z',
  })
  assert.deepEqual(
    spring.per_day.map((day: Record<string, unknown>) => day['succeeded']),
    [0, 1, 1],
  )
  assert.equal(spring.per_hour.length, 71)
  // 27 October, 00:30 and 23:30 in Berlin: the clock was set back in between.
  await deploy(at('2024-10-26T22:30:00Z'))
  await deploy(at('2024-10-27T22:30:00Z'))
  const autumn = await get('deployments?from=2024-10-27&to=2024-10-27&tz=Europe/Berlin&service=clock')
  assert.deepEqual(autumn.per_day, [{ date: '2024-10-27', succeeded: 2, failed: 0 }])
  assert.equal(autumn.per_hour.length, 25)
  assert.equal(autumn.deployments_per_day, 2)
})

test('velocity: the five DORA metrics of two weeks', async () => {
  const done = (service: string, at: string, more: object = {}) =>
    deploy({ service, started_at: at, finished_at: at, ...more })
  await done('api', '2024-06-03T10:00:00Z', { committed_at: '2024-06-03T06:00:00Z' })
  // Followed by rework within 24 hours: a failure that was recovered after 2 hours.
  await done('api', '2024-06-04T10:00:00Z', { committed_at: '2024-06-04T08:00:00Z' })
  await done('api', '2024-06-04T12:00:00Z', { committed_at: '2024-06-04T11:00:00Z', is_rework: true })
  // A failure that the next deployment recovered after 1 hour.
  await done('api', '2024-06-05T10:00:00Z', { status: 'failed' })
  await done('api', '2024-06-05T11:00:00Z')
  // A failure by its incident, which was closed after half an hour.
  const blamed = await done('web', '2024-06-10T10:00:00Z')
  await query(
    `insert into records.incidents (id, group_id, service_id, opened_at, closed_at, cause, source, deployment_id)
     values (gen_random_uuid(), $1, $2, '2024-06-10T10:05:00Z', '2024-06-10T10:30:00Z', 'down', 'test', $3)`,
    [groupId, await service('web'), blamed],
  )
  // A failure that nothing has recovered yet, and one that never reached production.
  await done('web', '2024-06-12T10:00:00Z', { status: 'failed' })
  await done('api', '2024-06-06T10:00:00Z', { status: 'failed', environment: 'staging' })

  const report = await get('velocity?from=2024-06-03&to=2024-06-16')
  assert.deepEqual([report.deployments, report.failures, report.unrecovered], [7, 4, 1])
  const empty = { previous: null, change: null }
  assert.deepEqual(report.change_failure_rate, { value: 4 / 7, ...empty })
  // The middle of 7200, 3600 and 1800 s.
  assert.deepEqual(report.time_to_restore, { value: 3_600, ...empty })
  // The middle of 4, 2 and 1 hours.
  assert.deepEqual(report.change_lead_time, { value: 7_200, ...empty })
  assert.deepEqual(report.deployment_rework_rate, { value: 1 / 7, ...empty })
  assert.deepEqual(report.deployment_frequency, { value: 5 / 14, previous: 0, change: null })
  assert.deepEqual(report.deployments_per_week, { value: 2.5, previous: 0, change: null })
  // Three days with deployments in the first week and one in the second: two in the middle.
  assert.equal(report.frequency_class, 'weekly')
  assert.deepEqual(report.per_week, [
    { week: '2024-06-03', deployments: 4, completed_tickets: 0 },
    { week: '2024-06-10', deployments: 1, completed_tickets: 0 },
  ])
  const later = await get('velocity?from=2024-06-17&to=2024-06-30')
  assert.deepEqual(later.change_failure_rate, { value: null, previous: 4 / 7, change: null })
  assert.equal(later.frequency_class, null)
  assert.equal((await get('velocity?from=2024-06-03&to=2024-06-16&service=web')).failures, 2)
  const staging = await get('velocity?from=2024-06-03&to=2024-06-16&environment=staging')
  assert.deepEqual([staging.deployments, staging.failures], [1, 1])
})

test('velocity: how often a team deploys is about production, as the figure beside it', async () => {
  const to = (environment: string, day: number) => {
    const at = `2024-09-${String(day).padStart(2, '0')}T10:00:00Z`
    return deploy({ service: 'often', environment, started_at: at, finished_at: at })
  }
  for (let day = 2; day <= 29; day++) await to('staging', day)
  await to('production', 4)
  const of = (more: string) => get(`velocity?from=2024-09-02&to=2024-09-29&service=often${more}`)
  const both = await of('')
  assert.deepEqual([both.deployment_frequency.value, both.frequency_class], [1 / 28, 'monthly'])
  assert.equal(both.deployments_per_week.value, 29 / 4)
  assert.equal((await of('&environment=staging')).frequency_class, 'daily')
})

test('velocity: rework that began within 24 hours counts, also where it ended after that', async () => {
  const done = (started: string, finished: string, more: object = {}) =>
    deploy({ service: 'slow-fix', started_at: started, finished_at: finished, ...more })
  await done('2024-10-06T23:50:00Z', '2024-10-06T23:55:00Z')
  await done('2024-10-07T23:45:00Z', '2024-10-08T00:15:00Z', { is_rework: true })
  const report = await get('velocity?from=2024-10-01&to=2024-10-06&service=slow-fix')
  assert.deepEqual([report.deployments, report.failures, report.unrecovered], [1, 1, 0])
})

test('summary: each figure stands beside that of the period before', async () => {
  const report = await get(`summary?${week}`)
  assert.deepEqual(report.deployments, {
    total: { value: 6, previous: 1, change: 5 },
    per_day: { value: 3 / 7, previous: 1 / 7, change: (3 / 7 - 1 / 7) / (1 / 7) },
    success_rate: { value: 0.6, previous: 1, change: -0.4 },
    average_build_seconds: { value: 384, previous: 600, change: -0.36 },
    lead_time_seconds: { value: 7_200, previous: null, change: null },
  })
  assert.deepEqual(report.tickets.average_resolution_hours, { value: null, previous: null, change: null })
  assert.deepEqual(report.devlogs.ai_share, { value: null, previous: null, change: null })
})

test('a period without data has no rates, averages or times', async () => {
  const empty = 'from=2023-01-01&to=2023-01-31'
  const deployments = await get(`deployments?${empty}`)
  for (const field of ['success_rate', 'failure_rate', 'average_build_seconds', 'lead_time'])
    assert.equal(deployments[field], null, field)
  assert.equal(deployments.per_day.length, 31)
  const velocity = await get(`velocity?${empty}`)
  for (const field of [
    'change_failure_rate',
    'time_to_restore',
    'change_lead_time',
    'deployment_rework_rate',
  ])
    assert.equal(velocity[field].value, null, field)
  const summary = await get(`summary?${empty}`)
  assert.equal(summary.health.uptime_percent.value, null)
  assert.equal(summary.deployments.success_rate.value, null)
})

test('a parameter that is not valid is named', async () => {
  const long = 'from=2023-01-01&to=2024-01-02'
  for (const [query, param] of [
    ['days=0', 'days'],
    ['days=367', 'days'],
    ['days=seven', 'days'],
    ['days=7&from=2024-05-06', 'days'],
    ['to=2024-05-06', 'from'],
    ['from=2024-05-07&to=2024-05-06', 'from'],
    ['from=2090-01-01', 'from'],
    ['from=yesterday', 'from'],
    ['from=2024-02-30', 'from'],
    [long, 'from'],
    ['tz=Mars/Olympus', 'tz'],
    ['tz=%2B02:00', 'tz'],
    ['sevice=checkout', 'sevice'],
  ] as const)
    assert.deepEqual(await get(`deployments?${query}`), { status: 400, param }, query)
  assert.equal((await get('deployments?from=2023-01-01&to=2024-01-01')).days, 366)
})

test('the last days end today, in the time zone', async () => {
  for (const tz of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const report = await get(`deployments?days=7&tz=${tz}`)
    assert.equal(report.per_day.length, 7)
    assert.equal(report.per_day.at(-1).date, new Date().toLocaleDateString('sv', { timeZone: tz }), tz)
    assert.equal(report.days, 7)
  }
  assert.equal((await get('deployments')).days, 30)
  assert.equal((await get('summary')).days, 7)
})

test('days that have not been do not count in a period that reaches into the future', async () => {
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const report = await get(`deployments?from=${date(-4)}&to=${date(20)}`)
  // One that crosses midnight of UTC has one day more.
  assert.ok([5, 6].includes(report.days), String(report.days))
  assert.equal(report.per_day.length, report.days)
  assert.equal(report.period.days, report.days)
})

test('times with any offset are understood', async () => {
  const { period } = await get('deployments?from=2024-05-07T20:00:00%2B20:00&to=2024-05-07T12:00:00Z')
  assert.equal(period.from, '2024-05-07T00:00:00.000Z')
})

test('a period of hours is compared with the hours before', async () => {
  const { period, total } = await get('deployments?from=2024-05-07T00:00:00Z&to=2024-05-07T12:00:00%2B02:00')
  assert.equal(total, 0)
  assert.equal(period.days, 10 / 24)
  assert.equal(period.previous_from, '2024-05-06T14:00:00.000Z')
  assert.equal(period.previous_to, '2024-05-07T00:00:00.000Z')
})
