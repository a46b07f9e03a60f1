-- What analytics reads of the records: here, and nowhere else, it depends on their tables.
create schema analytics;

-- `at`: when it ended; when it began, while it runs.
create view analytics.deployments as
  select id, group_id, service, environment, status, started_at, finished_at, committed_at, is_rework, incident_id,
    coalesce(finished_at, started_at) as at
  from records.deployments;

-- `closed_at`: when it was done or cancelled.
create view analytics.tickets as
  select id, group_id, title, status, priority, assignee, url, created_at, started_at, completed_at,
    coalesce(completed_at, cancelled_at) as closed_at, last_activity_at
  from records.tickets;

create view analytics.devlogs as
  select group_id, service, author_kind, created_at from records.devlogs;

create view analytics.services as
  select id, group_id, name, title, state, interval_s, url, is_paused, created_at from records.services;

create view analytics.health_rollups as
  select service_id, resolution, at, ok_count, failed_count, maintenance_count, latency_count, latency_sum_ms
  from records.health_rollups;

create view analytics.incidents as
  select id, group_id, service_id, opened_at, closed_at, deployment_id from records.incidents;

create index deployments_by_time on records.deployments (group_id, (coalesce(finished_at, started_at)));
create index deployments_in_sequence on records.deployments (group_id, service, environment, finished_at);
create index tickets_by_close on records.tickets (group_id, (coalesce(completed_at, cancelled_at)));
