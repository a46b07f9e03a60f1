import type pg from 'pg'

/** Days that the rows lie in, up to now. */
const days = 366
const services = 50

/**
 * Fills each table with a number of rows, by arithmetic, so that every run has the same ones. Most deployments belong to
 * few services; one in eight fails.
 */
export async function fillRecords(pool: pg.Pool, groupId: string, rows: number): Promise<void> {
  for (const statement of [fillServices, fillDeployments, fillIncidents, fillTickets, fillDevlogs])
    await pool.query(statement, [groupId, rows])
  for (const [resolution, count] of [
    ['minute', 1_440],
    ['hour', 720],
    ['day', days],
  ] as const)
    await pool.query(fillHealth, [groupId, resolution, count])
  // What autovacuum does within minutes: an index-only scan needs to know which pages everyone sees.
  for (const table of ['services', 'deployments', 'incidents', 'tickets', 'devlogs', 'health_rollups'])
    await pool.query(`vacuum analyze records.${table}`)
}

/** A number from 0 to 1 that looks like chance. */
const chance = (seed: number): string => `((hashint8extended(n, ${seed}) & 1048575) / 1048576.0)`
const ago = `now() - (n / $2::float8) * interval '${days} days'`

const fillServices = `
  insert into records.services (id, group_id, name, title, url, interval_s, timeout_ms, expect_status, failures_to_open,
    passes_to_close, allow_private, is_public, is_paused, created_at)
  select gen_random_uuid(), $1, 'service-' || n, 'Service ' || n, 'http://127.0.0.1:9/', 60, 1000, 200, 2, 2, true,
    false, true, now() - interval '400 days'
  from generate_series(0, ${services - 1}) as n where $2::int > 0`

const fillDeployments = `
  insert into records.deployments (id, group_id, service, environment, status, started_at, finished_at, committed_at,
    is_rework, source, external_id, status_at)
  select gen_random_uuid(), $1, service, environment, status, started_at, finished_at,
    finished_at - (600 + 400000 * ${chance(4)} ^ 3) * interval '1 second', ${chance(5)} < 0.05, 'bench', n, finished_at
  from (
    select n, 'service-' || floor(${services} * ${chance(1)} ^ 2) as service,
      case when ${chance(2)} < 0.5 then 'production' when ${chance(2)} < 0.8 then 'staging' else 'test' end as environment,
      case when ${chance(3)} < 0.875 then 'succeeded' when ${chance(3)} < 0.98 then 'failed' else 'rolled_back' end as status,
      ${ago} - (30 + 900 * ${chance(6)}) * interval '1 second' as started_at, ${ago} as finished_at
    from generate_series(1, $2::int) as n
  ) as made`

const fillIncidents = `
  insert into records.incidents (id, group_id, service_id, opened_at, closed_at, cause, deployment_id, source)
  select gen_random_uuid(), $1, s.id, d.finished_at, d.finished_at + interval '20 minutes', 'down', d.id, 'bench'
  from records.deployments d join records.services s on s.group_id = d.group_id and s.name = d.service
  where d.group_id = $1 and d.external_id::int % 100 = 0 and $2::int > 0`

const fillTickets = `
  insert into records.tickets (id, group_id, title, description, status, created_at, started_at, completed_at,
    cancelled_at, last_activity_at, source, external_id, status_at)
  select gen_random_uuid(), $1, 'Ticket ' || n, repeat('words ', 30), status, created_at, created_at + open_for / 3,
    case when status = 'done' then created_at + open_for end,
    case when status = 'cancelled' then created_at + open_for end,
    created_at + least(open_for, now() - created_at), 'bench', n, created_at
  from (
    select n, created_at, open_for, case when created_at + open_for > now() then 'open'
      when ${chance(8)} < 0.9 then 'done' else 'cancelled' end as status
    from (
      select n, ${ago} as created_at, (3600 + 2000000 * ${chance(7)} ^ 4) * interval '1 second' as open_for
      from generate_series(1, $2::int) as n
    ) as timed
  ) as made`

const fillDevlogs = `
  insert into records.devlogs (id, group_id, service_id, service, log_type, title, content, tags, metadata, author_kind,
    created_at)
  select gen_random_uuid(), $1, service, service, 'note', 'Devlog ' || n, repeat('words ', 50), '{}', '{}',
    case when ${chance(9)} < 0.4 then 'ai' else 'human' end, ${ago}
  from (select n, 'service-' || floor(${services} * ${chance(10)} ^ 2) as service
    from generate_series(1, $2::int) as n) as made`

const fillHealth = `
  insert into records.health_rollups (service_id, resolution, at, ok_count, failed_count, maintenance_count,
    latency_count, latency_sum_ms)
  select id, $2, date_trunc($2, now()) - n * ('1 ' || $2)::interval, 59, 1, 0, 60, 6000
  from records.services, generate_series(0, $3::int - 1) as n where group_id = $1`
