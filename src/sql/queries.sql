-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/sql/approvals/approval-store.ts countWaiting
select count(*) as "count"
from "sql"."approvals"
where "group_id" = $1
  and "status" = $2
  and "expires_at" > now();

-- src/sql/approvals/approval-store.ts decideApproval
update "sql"."approvals"
set "status" = $1, "decided_by" = $2, "decider" = $3, "note" = $4, "decided_at" = $5
where "id" = $6
  and "status" = $7
  and "expires_at" > now()
returning *;

-- src/sql/approvals/approval-store.ts endApprovals
update "sql"."approvals"
set "status" = $1, "ended_reason" = $2
where "status" in ($3, $4)
  and asked_by ->> 'run_id' = $5;

update "sql"."approvals"
set "status" = $1, "ended_reason" = $2
where "status" in ($3, $4)
  and "group_id" = $5
  and "agent_id" = $6;

-- src/sql/approvals/approval-store.ts findApproval
select *
from "sql"."approvals"
where "id" = $1
  and "group_id" in ($2);

-- src/sql/approvals/approval-store.ts findApprovals
select *
from "sql"."approvals"
where "id" in ($1);

-- src/sql/approvals/approval-store.ts findWaiting
select *
from "sql"."approvals"
where "group_id" = $1
  and "bound_hash" = $2
  and "requester" = $3
  and requested_key is not distinct from $4::uuid
  and "status" = $5
  and "expires_at" > now()
limit $6;

-- src/sql/approvals/approval-store.ts insertApproval
insert into "sql"."approvals" ("id", "group_id", "kind", "database", "sql", "is_complete", "request",
  "bound_hash", "agent_id", "policy_version", "operations", "rule", "reason", "preview", "effect",
  "requested_by", "requested_key", "requester", "asked_by", "expires_at", "status")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
returning *;

-- src/sql/approvals/approval-store.ts listApprovals
select *
from "sql"."approvals"
where "group_id" = $1
order by "created_at" desc, "id"
limit $2;

select *
from "sql"."approvals"
where "group_id" = $1
  and "requested_key" = $2
  and "status" = $3
  and "expires_at" > now()
order by "created_at" desc, "id"
limit $4;

select *
from "sql"."approvals"
where "group_id" = $1
  and ("status" = $2 or ("status" in ($3, $4) and "expires_at" <= now()))
order by "created_at" desc, "id"
limit $5;

-- src/sql/approvals/approval-store.ts useApproval
update "sql"."approvals"
set "status" = $1, "used_at" = $2, "audit_id" = $3
where "id" = $4
  and "status" = $5
  and "expires_at" > now();

-- src/sql/audit/audit-store.ts appendEntry
with head as (
  update sql.audit_heads
  set seq = seq + 1, previous = hash, hash = sha256(hash || $1::bytea)
  where group_id = $2
  returning seq, previous, hash
)
insert into sql.audit (seq, previous_hash, hash, asked_by, masked, grant_id, "group_id", "attempt_id", "phase",
  "kind", "database", "sql", "truncated", "sql_hash", "executor", "user_id", "api_key_id", "agent_id",
  "policy_version", "reason", "operations", "status", "rule", "error", "rows_affected", "duration_ms",
  "approval_id", "created_at")
select head.seq, head.previous, head.hash, $3::jsonb,
  $4::text[], $5::uuid, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
    $24, $25, $26, $27
from head
returning seq;

insert into sql.audit_heads (group_id)
values ($1)
on conflict do nothing;

with head as (
  update sql.audit_heads
  set seq = seq + 1, previous = hash, hash = sha256(hash || $1::bytea)
  where group_id = $2
  returning seq, previous, hash
), opened as (
  insert into sql.open_attempts (attempt_id, group_id, process_id)
  select $3, $4, $5 from head
)
insert into sql.audit (seq, previous_hash, hash, asked_by, masked, grant_id, "group_id", "attempt_id", "phase",
  "kind", "database", "sql", "truncated", "sql_hash", "executor", "user_id", "api_key_id", "agent_id",
  "policy_version", "reason", "operations", "status", "rule", "error", "rows_affected", "duration_ms",
  "approval_id", "created_at")
select head.seq, head.previous, head.hash, $6::jsonb,
  $7::text[], $8::uuid, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
    $26, $27, $28, $29, $30
from head
returning seq;

with head as (
  update sql.audit_heads
  set seq = seq + 1, previous = hash, hash = sha256(hash || $1::bytea)
  where group_id = $2
  returning seq, previous, hash
), closed as (delete from sql.open_attempts where attempt_id = $3)
insert into sql.audit (seq, previous_hash, hash, asked_by, masked, grant_id, "group_id", "attempt_id", "phase",
  "kind", "database", "sql", "truncated", "sql_hash", "executor", "user_id", "api_key_id", "agent_id",
  "policy_version", "reason", "operations", "status", "rule", "error", "rows_affected", "duration_ms",
  "approval_id", "created_at")
select head.seq, head.previous, head.hash, $4::jsonb,
  $5::text[], $6::uuid, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
    $25, $26, $27, $28
from head
returning seq;

with head as (
  update sql.audit_heads
  set seq = seq + 1, previous = hash, hash = sha256(hash || $1::bytea)
  where group_id = $2
  returning seq, previous, hash
), closed as (delete from sql.open_attempts where attempt_id = $3), noted as (
  insert into sql.attempt_facts (attempt_id, group_id, facts)
  select $4, $5, $6 from head
)
insert into sql.audit (seq, previous_hash, hash, asked_by, masked, grant_id, "group_id", "attempt_id", "phase",
  "kind", "database", "sql", "truncated", "sql_hash", "executor", "user_id", "api_key_id", "agent_id",
  "policy_version", "reason", "operations", "status", "rule", "error", "rows_affected", "duration_ms",
  "approval_id", "created_at")
select head.seq, head.previous, head.hash, $7::jsonb,
  $8::text[], $9::uuid, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
    $27, $28, $29, $30, $31
from head
returning seq;

-- src/sql/audit/audit-store.ts entriesAfter
select *
from "sql"."audit"
where "group_id" = $1
  and "seq" > $2
order by "seq"
limit $3;

-- src/sql/audit/audit-store.ts findHead
select "group_id", "seq", "hash"
from "sql"."audit_heads"
where "group_id" = $1;

-- src/sql/audit/audit-store.ts listAttempts
select b.group_id, b.seq, b.attempt_id, b.kind, b.database, b.sql, b.truncated, b.executor,
  b.agent_id, b.asked_by, b.reason, b.operations, b.created_at, b.hash, a.hash as outcome_hash,
  coalesce(a.status, b.status) as status, coalesce(a.rule, b.rule) as rule, coalesce(a.error,
    b.error) as error,
  coalesce(a.rows_affected, b.rows_affected) as rows_affected,
  coalesce(a.duration_ms, b.duration_ms) as duration_ms, coalesce(a.approval_id,
    b.approval_id) as approval_id,
  b.masked, b.grant_id
from sql.audit b
left join sql.audit a on a.attempt_id = b.attempt_id and a.phase = 'after'
where b.group_id = $1 and b.phase = 'before'
order by b.seq desc limit $2;

select b.group_id, b.seq, b.attempt_id, b.kind, b.database, b.sql, b.truncated, b.executor,
  b.agent_id, b.asked_by, b.reason, b.operations, b.created_at, b.hash, a.hash as outcome_hash,
  coalesce(a.status, b.status) as status, coalesce(a.rule, b.rule) as rule, coalesce(a.error,
    b.error) as error,
  coalesce(a.rows_affected, b.rows_affected) as rows_affected,
  coalesce(a.duration_ms, b.duration_ms) as duration_ms, coalesce(a.approval_id,
    b.approval_id) as approval_id,
  b.masked, b.grant_id
from sql.audit b
left join sql.audit a on a.attempt_id = b.attempt_id and a.phase = 'after'
where b.group_id = $1 and b.phase = 'before' and b.api_key_id = $2 and b.user_id = $3 and b.api_key_id is null and b.database = $4 and b.agent_id = $5 and coalesce(a.status,
  b.status) = $6 and b.created_at >= $7 and b.created_at < $8 and b.seq < $9 and (b.sql ilike $10 or b.reason ilike $11 or b.executor ilike $12 or a.error ilike $13)
order by b.seq desc limit $14;

-- src/sql/audit/audit-store.ts listChains
select group_id
from sql.audit_heads union select distinct group_id
from sql.audit
order by group_id;

-- src/sql/audit/audit-store.ts listWork
select b.group_id, b.seq, b.attempt_id, b.kind, b.database, b.sql, b.truncated, b.executor,
  b.agent_id, b.asked_by, b.reason, b.operations, b.created_at, b.hash, a.hash as outcome_hash,
  coalesce(a.status, b.status) as status, coalesce(a.rule, b.rule) as rule, coalesce(a.error,
    b.error) as error,
  coalesce(a.rows_affected, b.rows_affected) as rows_affected,
  coalesce(a.duration_ms, b.duration_ms) as duration_ms, coalesce(a.approval_id,
    b.approval_id) as approval_id,
  b.masked, b.grant_id, f.facts
from sql.audit b
left join sql.audit a on a.attempt_id = b.attempt_id and a.phase = 'after'
left join sql.attempt_facts f on f.attempt_id = b.attempt_id
where b.group_id = $1 and b.phase = 'before' and (
  b.api_key_id = any($2::uuid[])
  or b.approval_id in (
    select p.id from sql.approvals p where p.group_id = $3 and p.requested_key = any($4::uuid[])
  ))
order by b.seq limit $5;

-- src/sql/audit/audit-store.ts openEntries
select "a".*
from "sql"."audit" as "a"
inner join "sql"."open_attempts" as "o" on "o"."attempt_id" = "a"."attempt_id"
where "o"."process_id" = $1
  and "a"."phase" = $2
order by "a"."created_at";

-- src/sql/audit/audit-store.ts openProcesses
select distinct "process_id"
from "sql"."open_attempts";

-- src/sql/database/database-store.ts deleteDatabase
delete from "sql"."databases"
where "id" = $1;

-- src/sql/database/database-store.ts findDatabase
select *
from "sql"."databases"
where "group_id" = $1
  and "name" = $2;

-- src/sql/database/database-store.ts groupsWith
select "group_id"
from "sql"."databases"
where "name" = $1;

-- src/sql/database/database-store.ts insertDatabase
insert into "sql"."databases" ("id", "group_id", "name", "secret_id", "host", "port", "database", "login",
  "environment", "schemas", "is_by_local_owner", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict ("group_id", "name") do nothing;

-- src/sql/database/database-store.ts listDatabases
select *
from "sql"."databases"
where "group_id" = $1
order by "name";

-- src/sql/database/database-store.ts updateDatabase
update "sql"."databases"
set "environment" = $1, "updated_at" = $2
where "id" = $3;

-- src/sql/database/login-store.ts insertLogin
insert into "sql"."logins" ("role", "group_id", "secret_id")
values ($1, $2, $3)
on conflict ("role") do nothing;

-- src/sql/database/login-store.ts loginOf
select "group_id", "secret_id"
from "sql"."logins"
where "role" = $1;

-- src/sql/database/login-store.ts loginsOf
select "group_id", "secret_id"
from "sql"."logins"
where "role" in ($1, $2);

-- src/sql/database/setup-store.ts deleteSetup
delete from "sql"."setups"
where "role_prefix" = $1;

-- src/sql/database/setup-store.ts findSetup
select *
from "sql"."setups"
where "role_prefix" = $1;

-- src/sql/database/setup-store.ts noteSchemas
insert into "sql"."setups" ("role_prefix", "schemas", "set_up_at")
values ($1, $2, $3)
on conflict ("role_prefix") do update
set "schemas" = $4;

-- src/sql/database/setup-store.ts noteSetUp
insert into "sql"."setups" ("role_prefix", "schemas", "set_up_at")
values ($1, $2, $3)
on conflict ("role_prefix") do update
set "schemas" = $4, "set_up_at" = $5;

-- src/sql/migrate/migration-store.ts changeMigration
update "sql"."migrations"
set "state" = $1, "applied_at" = $2
where "group_id" = $3
  and "database" = $4
  and "name" = $5
  and "sha256" = $6;

-- src/sql/migrate/migration-store.ts findMigration
select "m".*, "a"."decider" as "decided_by", case
when case when m.state = 'asked' then coalesce(a.status = 'used', false) and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "a"."audit_id")
else m.attempt_id is not null and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "m"."attempt_id") end then 'unknown'
when m.state <> 'asked' then m.state
when a.status = 'used' then 'running'
when a.status in ('pending', 'approved') and a.expires_at <= now() then 'expired'
when a.status = 'pending' then 'waiting'
else coalesce(a.status, 'expired') end as "shown"
  from "sql"."migrations" as "m"
  left join "sql"."approvals" as "a" on "a"."id" = "m"."approval_id"
  where "m"."group_id" in ($1) and "m"."id" = $2;

-- src/sql/migrate/migration-store.ts knownMigrations
select "name", "sha256"
from "sql"."migrations"
where "group_id" = $1
  and "database" = $2;

-- src/sql/migrate/migration-store.ts listCut
select "m".*, "a"."decider" as "decided_by", case
when case when m.state = 'asked' then coalesce(a.status = 'used', false) and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "a"."audit_id")
else m.attempt_id is not null and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "m"."attempt_id") end then 'unknown'
when m.state <> 'asked' then m.state
when a.status = 'used' then 'running'
when a.status in ('pending', 'approved') and a.expires_at <= now() then 'expired'
when a.status = 'pending' then 'waiting'
else coalesce(a.status, 'expired') end as "shown"
  from "sql"."migrations" as "m"
  left join "sql"."approvals" as "a" on "a"."id" = "m"."approval_id"
  where case when m.state = 'asked' then coalesce(a.status = 'used', false) and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "a"."audit_id")
else m.attempt_id is not null and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "m"."attempt_id") end
  order by "m"."asked_at"
  limit $1;

-- src/sql/migrate/migration-store.ts listMigrations
select "m".*, "a"."decider" as "decided_by", case
when case when m.state = 'asked' then coalesce(a.status = 'used', false) and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "a"."audit_id")
else m.attempt_id is not null and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "m"."attempt_id") end then 'unknown'
when m.state <> 'asked' then m.state
when a.status = 'used' then 'running'
when a.status in ('pending', 'approved') and a.expires_at <= now() then 'expired'
when a.status = 'pending' then 'waiting'
else coalesce(a.status, 'expired') end as "shown"
  from "sql"."migrations" as "m"
  left join "sql"."approvals" as "a" on "a"."id" = "m"."approval_id"
  where "m"."group_id" = $1
  order by "m"."asked_at" desc, "m"."id" desc
  limit $2;

select "m".*, "a"."decider" as "decided_by", case
when case when m.state = 'asked' then coalesce(a.status = 'used', false) and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "a"."audit_id")
else m.attempt_id is not null and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "m"."attempt_id") end then 'unknown'
when m.state <> 'asked' then m.state
when a.status = 'used' then 'running'
when a.status in ('pending', 'approved') and a.expires_at <= now() then 'expired'
when a.status = 'pending' then 'waiting'
else coalesce(a.status, 'expired') end as "shown"
  from "sql"."migrations" as "m"
  left join "sql"."approvals" as "a" on "a"."id" = "m"."approval_id"
  where "m"."group_id" = $1 and "m"."requested_key" = $2 and "m"."database" = $3 and "m"."agent_id" = $4 and case
when case when m.state = 'asked' then coalesce(a.status = 'used', false) and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "a"."audit_id")
else m.attempt_id is not null and not exists (select
  from sql.open_attempts o
  where o.attempt_id = "m"."attempt_id") end then 'unknown'
when m.state <> 'asked' then m.state
when a.status = 'used' then 'running'
when a.status in ('pending', 'approved') and a.expires_at <= now() then 'expired'
when a.status = 'pending' then 'waiting'
else coalesce(a.status,
  'expired') end = $5 and ("m"."approval_id" = $6 or "m"."rollback_approval_id" = $7) and ("m"."name" ilike $8 or "m"."reason" ilike $9) and ("m"."asked_at",
  "m"."id") < ($10::timestamptz, $11::uuid)
  order by "m"."asked_at" desc, "m"."id" desc
  limit $12;

-- src/sql/migrate/migration-store.ts saveMigration
insert into "sql"."migrations" ("id", "group_id", "database", "name", "sha256", "state", "is_elsewhere",
  "statements", "is_complete", "checks", "operations", "rollback", "agent_id", "reason", "requester",
  "requested_key", "asked_by", "approval_id", "preview", "result", "copy", "attempt_id", "audit_id", "error",
  "duration_ms", "asked_at", "applied_at", "rollback_approval_id", "rolled_back_at", "rolled_back_by",
  "rollback_audit_id")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
  $23, $24, $25, $26, $27, $28, $29, $30, $31)
on conflict ("group_id", "database", "name", "sha256") do update
set "state" = $32, "approval_id" = $33;

insert into "sql"."migrations" ("id", "group_id", "database", "name", "sha256", "state", "is_elsewhere",
  "statements", "is_complete", "checks", "operations", "rollback", "agent_id", "reason", "requester",
  "requested_key", "asked_by", "approval_id", "preview", "result", "copy", "attempt_id", "audit_id", "error",
  "duration_ms", "asked_at", "applied_at", "rollback_approval_id", "rolled_back_at", "rolled_back_by",
  "rollback_audit_id")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
  $23, $24, $25, $26, $27, $28, $29, $30, $31)
on conflict ("group_id", "database", "name", "sha256") do update
set "state" = $32, "attempt_id" = $33
where "sql"."migrations"."state" <> $34;

-- src/sql/migrate/migration-store.ts settleMigration
update "sql"."migrations"
set "attempt_id" = $1
where "id" = $2
  and attempt_id is not distinct from $3::uuid;

-- src/sql/rules/rule-store.ts countGrants
select count(*) as "count"
from "sql"."grants"
where "group_id" = $1
  and "expires_at" > now()
  and "revoked_at" is null;

-- src/sql/rules/rule-store.ts deleteMasks
delete from "sql"."database_rules"
where "group_id" = $1
  and "database" = $2;

-- src/sql/rules/rule-store.ts findGrant
select *
from "sql"."grants"
where "id" = $1
  and "group_id" in ($2);

-- src/sql/rules/rule-store.ts findRules
select
(select masked_columns from sql.database_rules where group_id = $1 and database = $2) as masks,
(select json_agg(json_build_object('id', id, 'operations', operations, 'tables', tables, 'unmask', unmask)
  order by created_at, id)
  from sql.grants
  where group_id = $3 and database = $4 and agent_id = $5
    and expires_at > now() and revoked_at is null) as grants;

-- src/sql/rules/rule-store.ts insertGrant
insert into "sql"."grants" ("id", "group_id", "agent_id", "database", "operations", "tables", "unmask",
  "reason", "given_by", "giver", "expires_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning *;

-- src/sql/rules/rule-store.ts listGrants
select *
from "sql"."grants"
where "group_id" = $1
order by "created_at" desc, "id"
limit $2;

-- src/sql/rules/rule-store.ts listMasks
select "database", "masked_columns"
from "sql"."database_rules"
where "group_id" = $1;

-- src/sql/rules/rule-store.ts revokeGrant
update "sql"."grants"
set "revoked_at" = $1, "revoker" = $2
where "id" = $3
  and "revoked_at" is null
  and "expires_at" > now()
returning *;

-- src/sql/rules/rule-store.ts setMasks
insert into "sql"."database_rules" ("group_id", "database", "masked_columns", "updated_at")
values ($1, $2, $3, $4)
on conflict ("group_id", "database") do update
set "masked_columns" = $5, "updated_at" = $6;

-- src/sql/undo/undo-store.ts deleteExpiredReasons
delete from "sql"."undo_images"
where "secret_id" is null
  and "expires_at" <= $1;

-- src/sql/undo/undo-store.ts findUndo
select *, exists (
select
  from sql.audit a
  where a.attempt_id = undone_by and a.phase = 'after' and a.status = 'unknown') as "is_in_doubt"
  from "sql"."undo_images"
  where "group_id" = $1 and "audit_id" = $2 and "expires_at" > $3;

-- src/sql/undo/undo-store.ts insertUndo
insert into "sql"."undo_images" ("audit_id", "group_id", "database", "schema_name", "table_name", "agent_id",
  "operation", "row_count", "secret_id", "expires_at", "reason")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- src/sql/undo/undo-store.ts listExpired
select "group_id", "secret_id"
from "sql"."undo_images"
where "secret_id" is not null
  and "expires_at" <= $1
limit $2;

-- src/sql/undo/undo-store.ts markUndone
update "sql"."undo_images"
  set "undone_at" = $1, "undone_by" = $2
  where "audit_id" = $3 and ("undone_at" is null or exists (
select from sql.audit a where a.attempt_id = undone_by and a.phase = 'after' and a.status = 'unknown'));

-- src/sql/undo/undo-store.ts unmarkUndone
update "sql"."undo_images"
set "undone_at" = $1, "undone_by" = $2
where "audit_id" = $3
  and "undone_by" = $4;
