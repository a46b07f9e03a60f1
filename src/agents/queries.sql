-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/agents/agent-store.ts claimSeeding
insert into "agents"."seeded_groups" ("group_id")
values ($1)
on conflict do nothing;

-- src/agents/agent-store.ts countAgents
select count(*) as "count"
from "agents"."agents"
where "group_id" = $1;

-- src/agents/agent-store.ts deleteAgent
delete from "agents"."agents"
where "group_id" = $1
  and "id" = $2;

-- src/agents/agent-store.ts findAgent
select *
from "agents"."agents"
where "group_id" = $1
  and "id" = $2;

-- src/agents/agent-store.ts findVersion
select *
from "agents"."versions"
where "group_id" = $1
  and "agent_id" = $2
  and "version" = $3;

-- src/agents/agent-store.ts insertAgent
insert into "agents"."agents" ("group_id", "id", "name", "model", "category", "description", "capabilities",
  "config", "version", "policy_version", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict do nothing
returning *;

-- src/agents/agent-store.ts insertVersion
insert into "agents"."versions" ("group_id", "agent_id", "version", "policy_version", "change", "record",
  "changed_by", "changed_by_name")
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- src/agents/agent-store.ts lastVersion
select max("version") as "version"
from "agents"."versions"
where "group_id" = $1
  and "agent_id" = $2;

-- src/agents/agent-store.ts listAgents
select *
from "agents"."agents"
where "group_id" = $1
order by "created_at", "id"
limit $2;

select *
from "agents"."agents"
where "group_id" = $1
  and (created_at, id) > ($2, $3)
order by "created_at", "id"
limit $4;

-- src/agents/agent-store.ts listModels
select distinct "model"
from "agents"."agents";

-- src/agents/agent-store.ts listVersions
select *
from "agents"."versions"
where "group_id" = $1
  and "agent_id" = $2
order by "version" desc
limit $3;

-- src/agents/agent-store.ts lockAgent
select *
from "agents"."agents"
where "group_id" = $1
  and "id" = $2
for update;

-- src/agents/agent-store.ts updateAgent
update "agents"."agents"
set "name" = $1, "config" = $2, "version" = $3, "policy_version" = $4, "updated_at" = $5
where "group_id" = $6
  and "id" = $7
returning *;

-- src/agents/run/event-store.ts appendEvents
with moved as (
  update "agents"."runs" set last_seq = last_seq + $1
  where id = $2 returning last_seq
)
insert into "agents"."run_events" ("run_id", seq, type, data)
select $3, moved.last_seq - $4 + given.place, given.type, given.data::jsonb
from moved, unnest($5::text[], $6::text[]) with ordinality as given (type, data, place)
returning seq, type, data, at;

-- src/agents/run/event-store.ts readEvents
select seq, type, data, at from "agents"."run_events"
where "run_id" = $1 and seq > $2::bigint
order by seq limit $3;

-- src/agents/run/event-store.ts storedBytes
select coalesce(sum(octet_length(data::text)), 0) as "bytes"
from "agents"."run_events"
where "run_id" = $1;

-- src/agents/run/list-store.ts listRuns
select "agent_id", "agent_version", "group_id", "request", "turns", "ticket", "schedule_id", "status",
  "waiting_for", "response", "error", "workflow", "tool_calls", "cost", "steps", "limits", "created_at",
  "updated_at", "finished_at", "id", "input_tokens", "output_tokens", "started_by_name", "asked_user",
  "parent_id"
from "agents"."runs"
where "group_id" = $1
order by "created_at" desc, "id" desc
limit $2;

select "agent_id", "agent_version", "group_id", "request", "turns", "ticket", "schedule_id", "status",
  "waiting_for", "response", "error", "workflow", "tool_calls", "cost", "steps", "limits", "created_at",
  "updated_at", "finished_at", "id", "input_tokens", "output_tokens", "started_by_name", "asked_user",
  "parent_id"
from "agents"."runs"
where "group_id" = $1
  and "agent_id" = $2
  and "started_by" = $3
  and "status" = $4
  and ("created_at", "id") < ($5::timestamptz, $6::uuid)
order by "created_at" desc, "id" desc
limit $7;

-- src/agents/run/run-store.ts claimRun
update "agents"."runs"
  set "status" = $1, "process_id" = $2, "lease_until" = now() + make_interval(secs => 20), "updated_at" = $3
  where "id" = (select "queued"."id"
  from "agents"."runs" as "queued"
  where "queued"."status" = $4 and "queued"."cancel_requested" = $5 and (
  select count(*) from agents.runs r where r.status = 'running' and r.depth = queued.depth
) < $6 order by "queued"."created_at", "queued"."id" limit $7) returning *;

-- src/agents/run/run-store.ts countQueued
select count(*) as "count"
from "agents"."runs"
where "status" = $1;

-- src/agents/run/run-store.ts countUnfinished
select count(*) as "count"
from "agents"."runs"
where "group_id" = $1
  and "status" in ($2, $3);

-- src/agents/run/run-store.ts deleteOldRuns
delete from "agents"."runs"
where "finished_at" < now() - make_interval(days => $1);

-- src/agents/run/run-store.ts findAwaitingApproval
select "id", "waiting_for"
from "agents"."runs"
where "status" = $1
  and waiting_for ->> 'kind' = 'approval'
order by "id"
limit $2;

select "id", "waiting_for"
from "agents"."runs"
where "status" = $1
  and waiting_for ->> 'kind' = 'approval'
  and "id" > $2
order by "id"
limit $3;

-- src/agents/run/run-store.ts findIdleToCancel
select *
from "agents"."runs"
where "status" in ($1, $2)
  and "cancel_requested" = $3;

-- src/agents/run/run-store.ts findLost
select *
from "agents"."runs"
where "status" = $1
  and "lease_until" < now();

-- src/agents/run/run-store.ts findRun
select *
from "agents"."runs"
where "id" = $1
  and "group_id" = $2;

-- src/agents/run/run-store.ts holdOpenRun
select "id"
from "agents"."runs"
where "id" = $1
  and "status" = $2
for share;

-- src/agents/run/run-store.ts insertRun
insert into "agents"."runs" ("id", "group_id", "agent_id", "agent_version", "request", "limits", "started_by",
  "started_by_name", "asked_user", "started_key", "scopes", "depth", "parent_id", "ticket", "schedule_id",
  "status")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
returning *;

-- src/agents/run/run-store.ts insertRunKey
insert into "agents"."run_keys" ("run_id", "key_id", "turn")
values ($1, $2, $3);

-- src/agents/run/run-store.ts listRunKeys
select "key_id"
from "agents"."run_keys"
where "run_id" = $1;

select "key_id"
from "agents"."run_keys"
where "run_id" = $1
  and "turn" = $2;

-- src/agents/run/run-store.ts moveRun
update "agents"."runs"
set "response" = $1, "status" = $2, "process_id" = $3, "lease_until" = $4, "updated_at" = $5,
  "finished_at" = $6, "memory" = $7, "decision" = $8, "waiting_for" = $9
where "id" = $10
  and "status" = $11
  and "process_id" = $12
returning *;

update "agents"."runs"
set "decision" = $1, "status" = $2, "process_id" = $3, "lease_until" = $4, "updated_at" = $5,
  "finished_at" = $6
where "id" = $7
  and "status" = $8
  and waiting_for ->> 'wait_id' is not distinct from $9
returning *;

update "agents"."runs"
set "turns" = $1, "status" = $2, "process_id" = $3, "lease_until" = $4, "updated_at" = $5, "finished_at" = $6
where "id" = $7
  and "status" = $8
  and jsonb_array_length(turns) = $9
returning *;

-- src/agents/run/run-store.ts readStatus
select "status"
from "agents"."runs"
where "id" = $1
  and "group_id" = $2;

-- src/agents/run/run-store.ts renewLeases
update "agents"."runs"
set "lease_until" = now() + make_interval(secs => 20)
where "id" in ($1)
  and "process_id" = $2
  and "status" = $3
returning "id", "cancel_requested";

-- src/agents/run/run-store.ts requestCancel
update "agents"."runs"
set "cancel_requested" = $1
where "id" = $2
  and "status" = $3;

-- src/agents/run/run-store.ts requestCancelOfAsked
update "agents"."runs"
set "cancel_requested" = $1
where "parent_id" = $2
  and "status" in ($3, $4, $5);

-- src/agents/run/run-store.ts saveProgress
update "agents"."runs"
set "tool_calls" = $1, "input_tokens" = $2, "output_tokens" = $3, "cost" = $4, "steps" = $5, "updated_at" = $6
where "id" = $7
  and "process_id" = $8
  and "status" = $9;

-- src/agents/schedules/schedule-store.ts countSchedules
select count(*) as "count"
from "agents"."schedules"
where "group_id" = $1;

-- src/agents/schedules/schedule-store.ts deleteSchedule
delete from "agents"."schedules"
where "group_id" = $1
  and "agent_id" = $2
  and "id" = $3
returning *;

-- src/agents/schedules/schedule-store.ts insertSchedule
insert into "agents"."schedules" ("id", "group_id", "agent_id", "cron", "time_zone", "request", "enabled",
  "next_at", "runs_as", "runs_as_name")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
returning *;

-- src/agents/schedules/schedule-store.ts listDue
select *
from "agents"."schedules"
where "next_at" <= now()
order by "next_at"
limit $1;

-- src/agents/schedules/schedule-store.ts listSchedules
select *
from "agents"."schedules"
where "group_id" = $1
  and "agent_id" = $2
order by "created_at", "id";

-- src/agents/schedules/schedule-store.ts lockSchedule
select *
from "agents"."schedules"
where "group_id" = $1
  and "agent_id" = $2
  and "id" = $3
for update;

-- src/agents/schedules/schedule-store.ts takeTime
update "agents"."schedules"
set "next_at" = $1, "last_run_id" = $2, "last_error" = $3, "last_at" = now()
where "id" = $4
  and "next_at" = $5
  and "updated_at" = $6;

update "agents"."schedules"
set "next_at" = $1, "enabled" = $2, "last_error" = $3, "last_at" = now()
where "id" = $4
  and "next_at" = $5
  and "updated_at" = $6;

-- src/agents/schedules/schedule-store.ts updateSchedule
update "agents"."schedules"
set "id" = $1, "group_id" = $2, "agent_id" = $3, "cron" = $4, "time_zone" = $5, "request" = $6, "enabled" = $7,
  "next_at" = $8, "runs_as" = $9, "runs_as_name" = $10, "last_error" = $11, "updated_at" = $12
where "id" = $13
returning *;
