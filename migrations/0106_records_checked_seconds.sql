-- For how long the counted checks speak: each for the interval that the service had then. Null where only an earlier
-- release counted; beside this one it counts its checks without their time.
alter table records.health_rollups
  add column ok_seconds bigint,
  add column failed_seconds bigint,
  add column maintenance_seconds bigint;

create or replace view analytics.health_rollups as
  select service_id, resolution, at, ok_count, failed_count, maintenance_count, latency_count, latency_sum_ms,
    ok_seconds, failed_seconds, maintenance_seconds
  from records.health_rollups;
