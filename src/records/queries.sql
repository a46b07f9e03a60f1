-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/records/announcer.ts takeUnannounced
delete from records.unannounced where id in (
  select id from records.unannounced order by id limit $1 for update skip locked
) returning id, group_id, kind, action, record_id;

-- src/records/deployments/commit-times.ts setCommitTimes
update records.deployments d set committed_at = c.at, updated_at = now()
from unnest($1::text[], $2::timestamptz[]) as c (sha, at)
where d.group_id = $3 and d.commit = c.sha and d.committed_at is null;

-- src/records/deployments/index.ts checkIncident
select
from records.incidents
where group_id = $1
  and id = $2;

-- src/records/notes/note-kind.ts serviceOf
select name from records.services
where group_id = $1 and (id::text = $2 or name = $3);

-- src/records/progress.ts progressSince
select count(*) filter (where status in ('open', 'in_progress'))::int as open,
  count(*) filter (where status = 'done' and completed_at >= $1)::int as done,
  count(*) filter (where created_at >= $2)::int as created
from records.tickets where group_id = $3 and initiative_id = $4;

select id, title, completed_at as at from records.tickets
where group_id = $1 and initiative_id = $2 and status = 'done' and completed_at >= $3
order by completed_at desc, id desc limit $4;

select count(*) filter (where status = 'succeeded')::int as succeeded,
  count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
from records.deployments
where group_id = $1 and started_at >= $2;

select id, concat_ws(' ', service, version, status) as title, started_at as at from records.deployments
where group_id = $1 and started_at >= $2
order by started_at desc, id desc limit $3;

select count(*)::int as count from records.devlogs
where group_id = $1 and created_at >= $2;

select id, title, created_at as at from records.devlogs
where group_id = $1 and created_at >= $2
order by created_at desc, id desc limit $3;

select count(*) filter (where status = 'succeeded')::int as succeeded,
  count(*) filter (where status in ('failed', 'rolled_back'))::int as failed
from records.deployments
where group_id = $1 and started_at >= $2 and id = any($3::uuid[]);

select id, concat_ws(' ', service, version, status) as title, started_at as at from records.deployments
where group_id = $1 and started_at >= $2 and id = any($3::uuid[])
order by started_at desc, id desc limit $4;

select count(*)::int as count from records.devlogs
where group_id = $1 and created_at >= $2 and id = any($3::uuid[]);

select id, title, created_at as at from records.devlogs
where group_id = $1 and created_at >= $2 and id = any($3::uuid[])
order by created_at desc, id desc limit $4;

-- src/records/record-store.ts deleteRecord
delete from "records"."deployments" where group_id = $1 and id = $2
returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

delete from "records"."incidents" where group_id = $1 and id = $2
returning "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id", "source",
  "external_id", "created_at", "updated_at";

-- src/records/record-store.ts findRecord
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
  from "records"."deployments"
where group_id = $1 and id = $2;

select "id", "group_id", "name", "title", "description", "url", "interval_s", "timeout_ms", "expect_status",
  "failures_to_open", "passes_to_close", "allow_private", "is_public", "is_paused", "state", "state_since",
  "next_check_at", "last_checked_at", "last_status_code", "last_latency_ms", "last_error", "created_at",
  "updated_at", "failures", "passes"
  from "records"."services"
where group_id = $1 and id = $2;

-- src/records/record-store.ts insertRecord
insert into "records"."deployments" ("id", "group_id", "service", "environment", "version", "status",
  "started_at", "finished_at", "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id",
  "source", "external_id", "status_at", "created_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
on conflict do nothing
  returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

insert into "records"."tickets" ("id", "group_id", "title", "description", "status", "priority", "assignee",
  "initiative_id", "url", "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at",
  "source", "external_id", "agent_id", "run_id", "run_status", "run_result", "status_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
on conflict do nothing
  returning "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at";

insert into "records"."devlogs" ("title", "content", "tags", "metadata", "author_kind", "log_type",
  "service_id", "id", "group_id", "author", "created_at", "service")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict do nothing
  returning "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at",
  "updated_at", "service_id", "service", "log_type", "title";

insert into "records"."skills" ("name", "description", "content", "tags", "metadata", "author_kind", "id",
  "group_id", "author", "created_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing
  returning "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at",
  "updated_at", "name", "description";

insert into "records"."learnings" ("title", "content", "tags", "metadata", "author_kind", "category", "id",
  "group_id", "author", "created_at", "service")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict do nothing
  returning "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at",
  "updated_at", "service_id", "service", "category", "title";

insert into "records"."incidents" ("id", "group_id", "service_id", "cause", "note", "deployment_id", "source",
  "external_id", "created_at", "updated_at", "opened_at", "closed_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict do nothing
  returning "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id",
  "source", "external_id", "created_at", "updated_at";

-- src/records/record-store.ts listRecords
with newest as (
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
  from "records"."deployments"
where group_id = $1
order by "started_at" desc, "id" desc limit $2),
sized as (
  select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
    "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
    "created_at", "updated_at", "status_at", row_number() over (order by "started_at" desc,
    "id" desc) as place,
    sum(0) over (order by "started_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $3 order by place;

with newest as (
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
  from "records"."deployments"
where group_id = $1 and "service" = $2 and "environment" = $3 and "status" = any($4) and "started_at" >= $5 and "started_at" < $6 and ("started_at",
  "id") < ($7::timestamptz, $8::uuid)
order by "started_at" desc, "id" desc limit $9),
sized as (
  select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
    "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
    "created_at", "updated_at", "status_at", row_number() over (order by "started_at" desc,
    "id" desc) as place,
    sum(0) over (order by "started_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $10 order by place;

with newest as (
    select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
      "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
      "created_at", "updated_at", "status_at"
      from "records"."deployments"
   
      where group_id = $1 and (coalesce(finished_at, started_at)) >= $2 and (coalesce(finished_at,
      started_at)) < $3 and environment ~* '^(prod|production|live)([^a-z0-9]|$)' and not (is_rework or incident_id is not null) and status <> 'started' and (
  status <> 'succeeded'
  or id in (select deployment_id from records.incidents where group_id = $4 and deployment_id is not null)
  or id in (
    select repaired.id from records.deployments rework
    cross join lateral (
      select id, finished_at from records.deployments earlier
      where earlier.group_id = $5 and earlier.service = rework.service
        and earlier.environment = rework.environment and earlier.status <> 'started'
        and earlier.finished_at <= rework.finished_at
        and (earlier.finished_at, earlier.id) < (rework.finished_at, rework.id)
      order by earlier.finished_at desc, earlier.id desc limit 1
    ) as repaired
    where rework.group_id = $6 and rework.is_rework and rework.status <> 'started'
      and rework.finished_at >= $7 and rework.started_at <= repaired.finished_at + interval '24 hours'
  )
)
    order by "started_at" desc, "id" desc limit $8),
    sized as (
      select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
        "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
        "created_at", "updated_at", "status_at", row_number() over (order by "started_at" desc,
        "id" desc) as place,
        sum(0) over (order by "started_at" desc, "id" desc) as bytes
      from newest
    )
    select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
      "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
      "created_at", "updated_at", "status_at", place < (select count(*)
      from newest) as page_goes_on
      from sized
    where place = 1 or bytes <= $9 order by place;

with newest as (
select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at"
  from "records"."tickets"
where group_id = $1 and "status" = any($2) and "priority" = $3 and "assignee" = $4 and "initiative_id" = $5
order by "created_at" desc, "id" desc limit $6),
sized as (
  select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
    "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
    "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at",
    row_number() over (order by "created_at" desc, "id" desc) as place,
    sum(coalesce(octet_length("description"::text), 0) + coalesce(octet_length("run_result"::text),
      0)) over (order by "created_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $7 order by place;

with newest as (
select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at"
  from "records"."tickets"
where group_id = $1 and "completed_at" >= $2 and "completed_at" < $3 and status in ('open',
  'in_progress') and last_activity_at < now() - $4::int * interval '1 day'
order by "created_at" desc, "id" desc limit $5),
sized as (
  select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
    "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
    "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at",
    row_number() over (order by "created_at" desc, "id" desc) as place,
    sum(coalesce(octet_length("description"::text), 0) + coalesce(octet_length("run_result"::text),
      0)) over (order by "created_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $6 order by place;

with newest as (
select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "service_id", "service", "log_type", "title"
  from "records"."devlogs"
where group_id = $1 and "log_type" = $2 and tags @> $3 and "author_kind" = $4 and (service_id = $5 or service = $6 or service = (
select s.name from records.services s where s.group_id = $7 and s.id::text = $8))
order by "created_at" desc, "id" desc limit $9),
sized as (
  select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
    "service_id", "service", "log_type", "title", row_number() over (order by "created_at" desc,
    "id" desc) as place,
    sum(coalesce(octet_length("content"::text), 0) + coalesce(octet_length("metadata"::text),
      0)) over (order by "created_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "service_id", "service", "log_type", "title", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $10 order by place;

with newest as (
select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "name", "description"
  from "records"."skills"
where group_id = $1 and "name" = $2
order by "created_at" desc, "id" desc limit $3),
sized as (
  select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
    "name", "description", row_number() over (order by "created_at" desc, "id" desc) as place,
    sum(coalesce(octet_length("content"::text), 0) + coalesce(octet_length("metadata"::text),
      0) + coalesce(octet_length("description"::text), 0)) over (order by "created_at" desc,
      "id" desc) as bytes
  from newest
)
select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "name", "description", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $4 order by place;

with newest as (
select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "service_id", "service", "category", "title"
  from "records"."learnings"
where group_id = $1 and "category" = $2
order by "created_at" desc, "id" desc limit $3),
sized as (
  select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
    "service_id", "service", "category", "title", row_number() over (order by "created_at" desc,
    "id" desc) as place,
    sum(coalesce(octet_length("content"::text), 0) + coalesce(octet_length("metadata"::text),
      0)) over (order by "created_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "service_id", "service", "category", "title", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $4 order by place;

with newest as (
select "id", "group_id", "name", "title", "description", "url", "interval_s", "timeout_ms", "expect_status",
  "failures_to_open", "passes_to_close", "allow_private", "is_public", "is_paused", "state", "state_since",
  "next_check_at", "last_checked_at", "last_status_code", "last_latency_ms", "last_error", "created_at",
  "updated_at", "failures", "passes"
  from "records"."services"
where group_id = $1 and "name" = $2 and "state" = any($3)
order by "created_at" desc, "id" desc limit $4),
sized as (
  select "id", "group_id", "name", "title", "description", "url", "interval_s", "timeout_ms", "expect_status",
    "failures_to_open", "passes_to_close", "allow_private", "is_public", "is_paused", "state", "state_since",
    "next_check_at", "last_checked_at", "last_status_code", "last_latency_ms", "last_error", "created_at",
    "updated_at", "failures", "passes", row_number() over (order by "created_at" desc, "id" desc) as place,
    sum(coalesce(octet_length("description"::text), 0)) over (order by "created_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "name", "title", "description", "url", "interval_s", "timeout_ms", "expect_status",
  "failures_to_open", "passes_to_close", "allow_private", "is_public", "is_paused", "state", "state_since",
  "next_check_at", "last_checked_at", "last_status_code", "last_latency_ms", "last_error", "created_at",
  "updated_at", "failures", "passes", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $5 order by place;

with newest as (
select "id", "group_id", "service_id", "starts_at", "ends_at", "note", "created_at"
  from "records"."maintenance_windows"
where service_id = $1
order by "created_at" desc, "id" desc limit $2),
sized as (
  select "id", "group_id", "service_id", "starts_at", "ends_at", "note", "created_at",
    row_number() over (order by "created_at" desc, "id" desc) as place,
    sum(coalesce(octet_length("note"::text), 0)) over (order by "created_at" desc, "id" desc) as bytes
  from newest
)
select "id", "group_id", "service_id", "starts_at", "ends_at", "note", "created_at", place < (select count(*)
  from newest) as page_goes_on
  from sized
where place = 1 or bytes <= $3 order by place;

-- src/records/record-store.ts lockRecord
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
from "records"."deployments"
where group_id = $1
  and source = $2
  and external_id = $3
for update;

select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
from "records"."deployments"
where group_id = $1
  and id = $2
for update;

select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at"
from "records"."tickets"
where group_id = $1
  and source = $2
  and external_id = $3
for update;

select "id", "group_id", "name", "title", "description", "url", "interval_s", "timeout_ms", "expect_status",
  "failures_to_open", "passes_to_close", "allow_private", "is_public", "is_paused", "state", "state_since",
  "next_check_at", "last_checked_at", "last_status_code", "last_latency_ms", "last_error", "created_at",
  "updated_at", "failures", "passes"
from "records"."services"
where group_id = $1
  and id = $2
for update;

select "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id", "source",
  "external_id", "created_at", "updated_at"
from "records"."incidents"
where group_id = $1
  and id = $2
for update;

-- src/records/record-store.ts updateRecord
update "records"."deployments" set "service" = $1, "status" = $2, "finished_at" = $3, updated_at = now()
where id = $4
  returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

update "records"."deployments"
  set "status" = $1, "started_at" = $2, "finished_at" = $3, "status_at" = $4, updated_at = now()
where id = $5
  returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

update "records"."tickets"
  set "title" = $1, "status" = $2, "completed_at" = $3, "cancelled_at" = $4, updated_at = now()
where id = $5
  returning "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "agent_id", "run_id", "run_status", "run_result", "updated_at", "status_at";

update "records"."services"
  set "is_paused" = $1, "next_check_at" = $2, "state" = $3, "state_since" = $4, "failures" = $5, "passes" = $6,
  updated_at = now()
where id = $7
  returning "id", "group_id", "name", "title", "description", "url", "interval_s", "timeout_ms",
  "expect_status", "failures_to_open", "passes_to_close", "allow_private", "is_public", "is_paused", "state",
  "state_since", "next_check_at", "last_checked_at", "last_status_code", "last_latency_ms", "last_error",
  "created_at", "updated_at", "failures", "passes";

update "records"."services"
  set "url" = $1, "next_check_at" = $2, "state" = $3, "state_since" = $4, "failures" = $5, "passes" = $6,
  updated_at = now()
where id = $7
  returning "id", "group_id", "name", "title", "description", "url", "interval_s", "timeout_ms",
  "expect_status", "failures_to_open", "passes_to_close", "allow_private", "is_public", "is_paused", "state",
  "state_since", "next_check_at", "last_checked_at", "last_status_code", "last_latency_ms", "last_error",
  "created_at", "updated_at", "failures", "passes";

update "records"."incidents"
  set "note" = $1, "deployment_id" = $2, "opened_at" = $3, "closed_at" = $4, updated_at = now()
where id = $5
  returning "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id",
  "source", "external_id", "created_at", "updated_at";

-- src/records/search-kinds.ts createSearchKinds
select id, group_id, title, concat_ws(chr(10), description, run_result) as text, updated_at
  from "records"."tickets"
where (updated_at, id) > ($1::timestamptz, $2::uuid) and updated_at <= now() + interval '1 ms'
order by updated_at, id limit $3;

select id
from "records"."tickets"
where id = any($1::uuid[]);

-- src/records/services/check-store.ts claimDue
with waiting as (
  select id, row_number() over (partition by group_id order by next_check_at) as turn
  from records.services where next_check_at <= now()
), due as (
  select s.id from waiting join records.services s using (id) where s.next_check_at <= now()
  order by turn, next_check_at limit $1 for update of s skip locked
)
update records.services s set next_check_at = now() + make_interval(secs => s.interval_s)
from due where s.id = due.id
returning s.id, s.url, s.timeout_ms, s.expect_status, s.allow_private;

-- src/records/services/check-store.ts closeIncident
update records.incidents set updated_at = now(), closed_at = greatest(opened_at, (
  select min(at) from (
    select at from records.health_checks where service_id = $1 order by at desc limit $2
  ) as passed
)) where id = $3;

-- src/records/services/check-store.ts deleteOldChecks
delete from records.health_checks
where at < now() - interval '7 days';

delete from records.health_rollups
where (resolution = 'minute' and at < now() - interval '24 hours')
  or (resolution = 'hour' and at < now() - interval '30 days')
  or (resolution = 'day' and at < now() - interval '365 days');

-- src/records/services/check-store.ts insertCheck
insert into records.health_checks (service_id, at, ok, in_maintenance, status_code, latency_ms, error)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict do nothing;

insert into records.health_rollups as r (service_id, resolution, at, ok_count, failed_count,
  maintenance_count,
  latency_count, latency_sum_ms, latency_max_ms, ok_seconds, failed_seconds, maintenance_seconds)
select $1::uuid, resolution, date_trunc(resolution, $2::timestamptz, 'UTC'), $3::int,
  $4::int, $5::int, $6::int, $7::bigint,
  $8::int, $9::bigint * $10::int, $11::bigint * $12::int,
  $13::bigint * $14::int
from unnest(array['minute', 'hour', 'day']) as resolution
on conflict (service_id, resolution, at) do update set
  ok_count = r.ok_count + excluded.ok_count,
  failed_count = r.failed_count + excluded.failed_count,
  maintenance_count = r.maintenance_count + excluded.maintenance_count,
  latency_count = r.latency_count + excluded.latency_count,
  latency_sum_ms = r.latency_sum_ms + excluded.latency_sum_ms,
  latency_max_ms = greatest(r.latency_max_ms, excluded.latency_max_ms),
  ok_seconds = coalesce(r.ok_seconds, r.ok_count::bigint * $15::int) + excluded.ok_seconds,
  failed_seconds = coalesce(r.failed_seconds, r.failed_count::bigint * $16::int)
    + excluded.failed_seconds,
  maintenance_seconds = coalesce(r.maintenance_seconds, r.maintenance_count::bigint * $17::int)
    + excluded.maintenance_seconds;

-- src/records/services/check-store.ts lockForResult
select s.id, s.group_id, s.name, s.interval_s, s.state, s.failures, s.passes, s.failures_to_open,
  s.passes_to_close,
  exists (
    select from records.maintenance_windows w
    where w.service_id = s.id and w.starts_at <= $1 and w.ends_at > $2
  ) as in_maintenance,
  (
    select i.id from records.incidents i
    where i.service_id = s.id and i.closed_at is null and i.source = 'health_check'
  ) as incident_id
from records.services s
where s.id = $3 and s.url = $4 and not s.is_paused for update;

-- src/records/services/check-store.ts openIncident
insert into records.incidents (id, group_id, service_id, opened_at, cause, source)
select $1, $2, $3, min(at), $4, 'health_check'
from (
  select at from records.health_checks where service_id = $5 order by at desc limit $6
) as failed;

-- src/records/services/check-store.ts saveHealth
update records.services set state_since = case when state = $1 then state_since else $2 end,
  state = $3, failures = $4, passes = $5, last_checked_at = $6,
  last_status_code = $7, last_latency_ms = $8, last_error = $9
where id = $10;

-- src/records/services/history-store.ts listChecks
select at, ok, in_maintenance, status_code, latency_ms, error from records.health_checks
where service_id = $1 and "at" >= $2 and "at" < $3 and at < $4 order by at desc limit $5;

-- src/records/services/history-store.ts listRollups
select at, ok_count, failed_count, maintenance_count, latency_count, latency_sum_ms, latency_max_ms
from records.health_rollups where resolution = $1 and service_id = $2
order by at desc limit $3;

-- src/records/services/incidents.ts createIncidents
with newest as (
select "i"."id", "i"."group_id", "i"."service_id", "i"."opened_at", "i"."closed_at", "i"."cause", "i"."note",
  "i"."deployment_id", "i"."source", "i"."external_id", "i"."created_at", "i"."updated_at", s.name as service
from records.incidents i join records.services s on s.id = i.service_id where i.group_id = $1
      order by i.opened_at desc, i.id desc limit $2),
  sized as (
    select "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id",
      "source", "external_id", "created_at", "updated_at", "service",
      row_number() over (order by opened_at desc, id desc) as place,
      sum(coalesce(octet_length("cause"::text), 0) + coalesce(octet_length("note"::text),
        0)) over (order by opened_at desc, id desc) as bytes
    from newest
  )
  select "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id", "source",
    "external_id", "created_at", "updated_at", "service", place < (select count(*)
    from newest) as page_goes_on
    from sized
  where place = 1 or bytes <= $3 order by place;

with newest as (
select "i"."id", "i"."group_id", "i"."service_id", "i"."opened_at", "i"."closed_at", "i"."cause", "i"."note",
  "i"."deployment_id", "i"."source", "i"."external_id", "i"."created_at", "i"."updated_at", s.name as service
from records.incidents i join records.services s on s.id = i.service_id
  where i.group_id = $1 and "s"."name" = $2 and i.closed_at is null and "i"."opened_at" >= $3 and "i"."opened_at" < $4 and ("i"."opened_at",
  "i"."id") < ($5::timestamptz, $6::uuid)
      order by i.opened_at desc, i.id desc limit $7),
  sized as (
    select "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id",
      "source", "external_id", "created_at", "updated_at", "service",
      row_number() over (order by opened_at desc, id desc) as place,
      sum(coalesce(octet_length("cause"::text), 0) + coalesce(octet_length("note"::text),
        0)) over (order by opened_at desc, id desc) as bytes
    from newest
  )
  select "id", "group_id", "service_id", "opened_at", "closed_at", "cause", "note", "deployment_id", "source",
    "external_id", "created_at", "updated_at", "service", place < (select count(*)
    from newest) as page_goes_on
    from sized
  where place = 1 or bytes <= $8 order by place;

select
from records.deployments
where group_id = $1
  and id = $2;

select "i"."id", "i"."group_id", "i"."service_id", "i"."opened_at", "i"."closed_at", "i"."cause", "i"."note",
  "i"."deployment_id", "i"."source", "i"."external_id", "i"."created_at", "i"."updated_at", s.name as service
from records.incidents i join records.services s on s.id = i.service_id where i.group_id = $1 and i.id = $2;

select id
from records.services
where group_id = $1
  and name = $2;

-- src/records/services/incidents.ts followIncidents
update records.services s set state = next.state, state_since = now()
from (
  select case when exists (
    select from records.incidents i where i.service_id = $1 and i.closed_at is null
  ) then 'down' else 'up' end as state
) as next
where s.id = $2 and s.url is null and s.state <> next.state;

-- src/records/services/services.ts createServices
update records.services set next_check_at = now()
where group_id = $1 and id = $2 and url is not null and not is_paused
returning id;

-- src/records/services/services.ts isReportedDown
select
from records.incidents
where service_id = $1
  and closed_at is null
limit 1;

-- src/records/services/services.ts replan
update records.incidents set closed_at = greatest(opened_at, now()), updated_at = now()
where service_id = $1 and closed_at is null and source = 'health_check';

-- src/records/status-page/store.ts findEnabledPage
select group_id, slug, title, description, is_enabled, updated_at
from records.status_pages
where slug = $1
  and is_enabled;

-- src/records/status-page/store.ts findPage
select group_id, slug, title, description, is_enabled, updated_at
from records.status_pages
where group_id = $1;

-- src/records/status-page/store.ts listDays
select service_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as date,
  coalesce(ok_seconds, ok_count::bigint * interval_s)::float8 as ok_seconds,
  coalesce(failed_seconds, failed_count::bigint * interval_s)::float8 as failed_seconds
from records.health_rollups join records.services on services.id = service_id
where service_id = any($1::uuid[]) and resolution = 'day'
  and at > now() - make_interval(days => $2);

-- src/records/status-page/store.ts listPublicIncidents
select service_id, opened_at, closed_at, source from records.incidents
where service_id = any($1::uuid[])
  and (closed_at is null or closed_at > now() - make_interval(days => $2))
order by opened_at desc limit 1000;

-- src/records/status-page/store.ts listPublicServices
select id, name, title, description, state, state_since from records.services
where group_id = $1 and is_public order by title, name limit 200;

-- src/records/status-page/store.ts listPublicWindows
select service_id, starts_at, ends_at, note from records.maintenance_windows
where service_id = any($1::uuid[]) and ends_at > now() order by starts_at limit 50;

-- src/records/status-page/store.ts savePage
insert into records.status_pages (group_id, slug, title, description, is_enabled)
values ($1, $2, $3, $4, $5)
on conflict (group_id) do update set slug = excluded.slug, title = excluded.title,
  description = excluded.description, is_enabled = excluded.is_enabled, updated_at = now()
returning group_id, slug, title, description, is_enabled, updated_at;

-- src/records/tickets/open-tickets.ts openTicketsOf
select initiative_id as id, count(*)::int as count from records.tickets
where group_id = $1 and status in ('open', 'in_progress') and initiative_id = any($2::uuid[])
group by 1;

-- src/records/tickets/stale-tickets.ts staleTicketsOf
select id, title, assignee, last_activity_at from records.tickets
where group_id = $1 and status in ('open', 'in_progress')
  and last_activity_at < now() - $2::int * interval '1 day'
  and lower(assignee) = any ($3::text[])
order by last_activity_at limit 200;

-- src/records/tickets/ticket-runs.ts lastRun
select run_id
from records.tickets
where group_id = $1
  and id = $2
for update;

-- src/records/tickets/ticket-runs.ts setRun
update records.tickets
set agent_id = $1, run_status = $2, run_result = $3,
  last_activity_at = greatest(last_activity_at, now()), updated_at = now()
where group_id = $4 and id = $5 and run_id = $6;

update records.tickets
set agent_id = $1, run_status = $2, run_result = run_result,
  last_activity_at = greatest(last_activity_at, now()), updated_at = now()
where group_id = $3 and id = $4 and run_id = $5;

-- src/records/tickets/ticket-runs.ts takeRun
update records.tickets set run_id = $1, run_result = null
where group_id = $2 and id = $3;
