-- outside a transaction
-- Links are found in what has changed since they were last looked for.
drop index concurrently if exists records.deployments_by_change;
create index concurrently deployments_by_change on records.deployments (updated_at, id);
drop index concurrently if exists records.incidents_by_change;
create index concurrently incidents_by_change on records.incidents (updated_at, id);
drop index concurrently if exists agents.runs_by_change;
create index concurrently runs_by_change on agents.runs (updated_at, id);
drop index concurrently if exists sql.audit_by_time;
create index concurrently audit_by_time on sql.audit (created_at, attempt_id) where phase = 'after';
drop index concurrently if exists webhooks.commits_by_change;
create index concurrently commits_by_change on webhooks.commits (changed_at, sha);
drop index concurrently if exists webhooks.commits_in_order;
create index concurrently commits_in_order on webhooks.commits (group_id, (coalesce(made_at, committed_at)));
