import { sql } from 'kysely'
import type { Stored, Db, DbTransaction } from '../record-store.ts'
import type { Service } from '../shapes/services.ts'
import type { ProbeResult } from './probe.ts'
import type { NextHealth } from './state.ts'

export type ServiceRow = Stored<Service> & { failures: number; passes: number }

/** A service whose check has come due, and which this process now checks. */
export interface DueService {
  id: string
  url: string
  timeout_ms: number
  expect_status: number
  allow_private: boolean
}

/**
 * Takes services that are due and plans their next check in the same statement, so no other replica takes them. A
 * process that ends during a check loses only that check. Groups take turns: one with many services that answer late
 * does not keep the others waiting.
 */
export async function claimDue(db: Db, limit: number): Promise<DueService[]> {
  const { rows } = await sql<DueService>`
    with waiting as (
      select id, row_number() over (partition by group_id order by next_check_at) as turn
      from records.services where next_check_at <= now()
    ), due as (
      select s.id from waiting join records.services s using (id) where s.next_check_at <= now()
      order by turn, next_check_at limit ${limit} for update of s skip locked
    )
    update records.services s set next_check_at = now() + make_interval(secs => s.interval_s)
    from due where s.id = due.id
    returning s.id, s.url, s.timeout_ms, s.expect_status, s.allow_private`.execute(db)
  return rows
}

export interface LockedService extends Pick<
  ServiceRow,
  | 'id'
  | 'group_id'
  | 'name'
  | 'interval_s'
  | 'state'
  | 'failures'
  | 'passes'
  | 'failures_to_open'
  | 'passes_to_close'
> {
  in_maintenance: boolean
  incident_id: string | null
}

/** Undefined: the service was changed, paused or deleted since the check began, so its result says nothing. */
export async function lockForResult(
  transaction: DbTransaction,
  { id, url }: DueService,
  at: Date,
): Promise<LockedService | undefined> {
  const { rows } = await sql<LockedService>`
    select s.id, s.group_id, s.name, s.interval_s, s.state, s.failures, s.passes, s.failures_to_open, s.passes_to_close,
      exists (
        select from records.maintenance_windows w
        where w.service_id = s.id and w.starts_at <= ${at} and w.ends_at > ${at}
      ) as in_maintenance,
      (
        select i.id from records.incidents i
        where i.service_id = s.id and i.closed_at is null and i.source = 'health_check'
      ) as incident_id
    from records.services s
    where s.id = ${id} and s.url = ${url} and not s.is_paused for update`.execute(transaction)
  return rows[0]
}

/** Stores the check and the sums in which it counts as the interval of now: a later one says nothing about it. */
export async function insertCheck(
  transaction: DbTransaction,
  { id: serviceId, interval_s, in_maintenance: inMaintenance }: LockedService,
  at: Date,
  { ok, status_code, latency_ms, error }: ProbeResult,
): Promise<void> {
  await sql`
    insert into records.health_checks (service_id, at, ok, in_maintenance, status_code, latency_ms, error)
    values (${serviceId}, ${at}, ${ok}, ${inMaintenance}, ${status_code}, ${latency_ms}, ${error})
    on conflict do nothing`.execute(transaction)
  const counts = [ok && !inMaintenance, !ok && !inMaintenance, inMaintenance].map(Number)
  await sql`
    insert into records.health_rollups as r (service_id, resolution, at, ok_count, failed_count, maintenance_count,
      latency_count, latency_sum_ms, latency_max_ms, ok_seconds, failed_seconds, maintenance_seconds)
    select ${serviceId}::uuid, resolution, date_trunc(resolution, ${at}::timestamptz, 'UTC'), ${counts[0]}::int,
      ${counts[1]}::int, ${counts[2]}::int, ${latency_ms === null ? 0 : 1}::int, ${latency_ms ?? 0}::bigint,
      ${latency_ms}::int, ${counts[0]}::bigint * ${interval_s}::int, ${counts[1]}::bigint * ${interval_s}::int,
      ${counts[2]}::bigint * ${interval_s}::int
    from unnest(array['minute', 'hour', 'day']) as resolution
    on conflict (service_id, resolution, at) do update set
      ok_count = r.ok_count + excluded.ok_count,
      failed_count = r.failed_count + excluded.failed_count,
      maintenance_count = r.maintenance_count + excluded.maintenance_count,
      latency_count = r.latency_count + excluded.latency_count,
      latency_sum_ms = r.latency_sum_ms + excluded.latency_sum_ms,
      latency_max_ms = greatest(r.latency_max_ms, excluded.latency_max_ms),
      ok_seconds = coalesce(r.ok_seconds, r.ok_count::bigint * ${interval_s}::int) + excluded.ok_seconds,
      failed_seconds = coalesce(r.failed_seconds, r.failed_count::bigint * ${interval_s}::int)
        + excluded.failed_seconds,
      maintenance_seconds = coalesce(r.maintenance_seconds, r.maintenance_count::bigint * ${interval_s}::int)
        + excluded.maintenance_seconds`.execute(transaction)
}

export async function saveHealth(
  transaction: DbTransaction,
  serviceId: string,
  at: Date,
  { state, failures, passes }: NextHealth,
  { status_code, latency_ms, error }: ProbeResult,
): Promise<void> {
  await sql`
    update records.services set state_since = case when state = ${state} then state_since else ${at} end,
      state = ${state}, failures = ${failures}, passes = ${passes}, last_checked_at = ${at},
      last_status_code = ${status_code}, last_latency_ms = ${latency_ms}, last_error = ${error}
    where id = ${serviceId}`.execute(transaction)
}

/** The incident began with the first of the failures in a row. */
export async function openIncident(
  transaction: DbTransaction,
  id: string,
  { id: serviceId, group_id: groupId }: LockedService,
  cause: string,
  failures: number,
): Promise<void> {
  await sql`
    insert into records.incidents (id, group_id, service_id, opened_at, cause, source)
    select ${id}, ${groupId}, ${serviceId}, min(at), ${cause}, 'health_check'
    from (
      select at from records.health_checks where service_id = ${serviceId} order by at desc limit ${failures}
    ) as failed`.execute(transaction)
}

/** It ended with the first of the passes in a row. */
export async function closeIncident(
  transaction: DbTransaction,
  id: string,
  serviceId: string,
  passes: number,
): Promise<void> {
  await sql`
    update records.incidents set updated_at = now(), closed_at = greatest(opened_at, (
      select min(at) from (
        select at from records.health_checks where service_id = ${serviceId} order by at desc limit ${passes}
      ) as passed
    )) where id = ${id}`.execute(transaction)
}

/** Single checks are kept for a week; their sums as long as a chart of that resolution goes back. */
export async function deleteOldChecks(db: Db): Promise<void> {
  await sql`delete from records.health_checks where at < now() - interval '7 days'`.execute(db)
  await sql`
    delete from records.health_rollups
    where (resolution = 'minute' and at < now() - interval '24 hours')
      or (resolution = 'hour' and at < now() - interval '30 days')
      or (resolution = 'day' and at < now() - interval '365 days')`.execute(db)
}
