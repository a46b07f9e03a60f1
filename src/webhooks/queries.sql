-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/webhooks/commit-store.ts commitTime
select "committed_at"
from "webhooks"."commits"
where "group_id" = $1
  and "sha" = $2;

-- src/webhooks/commit-store.ts deleteOldCommits
delete from webhooks.commits where (group_id, sha) in (
  select group_id, sha from webhooks.commits where received_at < $1 order by received_at limit $2
) returning sha;

-- src/webhooks/commit-store.ts saveCommits
insert into webhooks.commits as known
  (group_id, sha, committed_at, made_at, repository, branch, message, author, url)
select $1, sha, at, made_at, repository, branch, message, author, url
from unnest(
  $2::text[], $3::timestamptz[],
  $4::timestamptz[],
  $5::text[], $6::text[],
  $7::text[], $8::text[],
  $9::text[]
) as new (sha, at, made_at, repository, branch, message, author, url)
order by sha
on conflict (group_id, sha) do update set
  committed_at = least(known.committed_at, excluded.committed_at),
  made_at = coalesce(known.made_at, excluded.made_at),
  repository = coalesce(known.repository, excluded.repository),
  branch = coalesce(known.branch, excluded.branch),
  message = coalesce(known.message, excluded.message),
  author = coalesce(known.author, excluded.author),
  url = coalesce(known.url, excluded.url),
  changed_at = now();

-- src/webhooks/delivery-store.ts countPending
select count(*) as "count"
from "webhooks"."deliveries"
where "status" = $1;

-- src/webhooks/delivery-store.ts deleteOldDeliveries
delete from webhooks.deliveries where id in (
  select id from webhooks.deliveries where received_at < $1 order by received_at limit $2
) returning id;

-- src/webhooks/delivery-store.ts failCutOff
update webhooks.deliveries set status = 'failed', processed_at = now(),
  reason = 'Processing was cut off too often. Replay the delivery once the cause is resolved.'
where status = 'pending' and started_at < now() - make_interval(secs => $1)
  and attempts >= $2;

-- src/webhooks/delivery-store.ts findDelivery
select "d"."id", "d"."hook_id", "d"."group_id", "h"."kind", "d"."event", "d"."external_id", "d"."content_type",
  "d"."status", "d"."reason", "d"."attempts", "d"."received_at", "d"."processed_at",
  octet_length(d.body) as "size_bytes", "d"."body", "h"."deploy_workflows"
from "webhooks"."deliveries" as "d"
inner join "webhooks"."hooks" as "h" on "h"."id" = "d"."hook_id"
where "d"."id" = $1
  and "d"."group_id" in ($2);

-- src/webhooks/delivery-store.ts finishDelivery
update "webhooks"."deliveries"
set "status" = $1, "reason" = $2, "processed_at" = $3
where "id" = $4;

-- src/webhooks/delivery-store.ts insertAfresh
update webhooks.deliveries set body_hash = sha256(body_hash || uuid_send(id))
where hook_id = $1 and body_hash = $2
  and received_at < now() - make_interval(mins => $3)
returning id;

-- src/webhooks/delivery-store.ts insertDelivery
insert into "webhooks"."deliveries" ("id", "hook_id", "group_id", "event", "external_id", "body_hash",
  "content_type", "body", "status", "reason", "processed_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict do nothing
returning "id", "status", "reason", "received_at", "processed_at";

-- src/webhooks/delivery-store.ts listDeliveries
select "d"."id", "d"."hook_id", "d"."group_id", "h"."kind", "d"."event", "d"."external_id", "d"."content_type",
  "d"."status", "d"."reason", "d"."attempts", "d"."received_at", "d"."processed_at",
  octet_length(d.body) as "size_bytes"
from "webhooks"."deliveries" as "d"
inner join "webhooks"."hooks" as "h" on "h"."id" = "d"."hook_id"
where "d"."group_id" = $1
order by "d"."id" desc
limit $2;

select "d"."id", "d"."hook_id", "d"."group_id", "h"."kind", "d"."event", "d"."external_id", "d"."content_type",
  "d"."status", "d"."reason", "d"."attempts", "d"."received_at", "d"."processed_at",
  octet_length(d.body) as "size_bytes"
from "webhooks"."deliveries" as "d"
inner join "webhooks"."hooks" as "h" on "h"."id" = "d"."hook_id"
where "d"."group_id" = $1
  and "d"."hook_id" = $2
  and "d"."status" = $3
  and "d"."id" < $4
order by "d"."id" desc
limit $5;

-- src/webhooks/delivery-store.ts restartDelivery
update webhooks.deliveries set status = 'pending', reason = null, attempts = attempts + 1, started_at = now(),
  processed_at = case when status in ('processed', 'pending') then processed_at end
where id = $1
  and (status <> 'pending' or started_at < now() - make_interval(secs => $2))
returning id;

-- src/webhooks/delivery-store.ts takeCutOff
update webhooks.deliveries set attempts = attempts + 1, started_at = now()
where id = (
  select id from webhooks.deliveries
  where status = 'pending' and started_at < now() - make_interval(secs => $1)
    and attempts < $2
  order by started_at limit 1 for update skip locked
)
returning id, group_id;

-- src/webhooks/delivery-store.ts takeDelivery
with same as (
  select id, status, reason, received_at from webhooks.deliveries
  where hook_id = $1
    and (body_hash = $2 or external_id = $3)
  order by id limit 1
), taken as (
  update webhooks.deliveries d
    set status = 'pending', reason = null, attempts = attempts + 1, started_at = now(),
    processed_at = case when d.status = 'pending' then d.processed_at end
  from same where d.id = same.id and (
    d.status in ('ignored', 'failed')
    or d.status = 'pending' and d.started_at < now() - make_interval(secs => $4)
  )
  returning d.id, d.processed_at
)
select same.id, same.status, same.reason, same.received_at, taken.processed_at,
  taken.id is not null as "isMine"
from same left join taken on taken.id = same.id;

-- src/webhooks/hook-store.ts activeHook
select *
from "webhooks"."hooks"
where "id" = $1
  and "kind" = $2
  and "is_active" = $3;

-- src/webhooks/hook-store.ts activeHooks
select * from (
  select h.*, row_number() over (partition by group_id order by created_at, id) as place
  from webhooks.hooks h where kind = $1 and is_active
) ranked order by place, created_at, id limit $2;

-- src/webhooks/hook-store.ts countHooks
select count(*) as "count"
from "webhooks"."hooks"
where "group_id" = $1;

-- src/webhooks/hook-store.ts findHook
select *
from "webhooks"."hooks"
where "id" = $1
  and "group_id" in ($2);

-- src/webhooks/hook-store.ts insertHook
insert into "webhooks"."hooks" ("id", "group_id", "kind", "name", "secret_id", "deploy_workflows",
  "created_by")
values ($1, $2, $3, $4, $5, $6, $7)
returning *;

-- src/webhooks/hook-store.ts listHooks
select h.*, d.received_at as last_delivery_at, d.status as last_status
from webhooks.hooks h
left join lateral (
  select received_at, status from webhooks.deliveries where hook_id = h.id order by id desc limit 1
) d on true
where h.group_id = $1
order by h.created_at, h.id limit $2;

-- src/webhooks/hook-store.ts updateHook
update "webhooks"."hooks"
set "name" = $1, "is_active" = $2, "secret_id" = $3, "deploy_workflows" = $4, "updated_at" = $5
where "id" = $6
returning *;

-- src/webhooks/pull-request-store.ts deleteOldPullRequests
delete from webhooks.pull_requests where (group_id, url) in (
  select group_id, url from webhooks.pull_requests where changed_at < $1 order by changed_at limit $2
) returning url;

-- src/webhooks/pull-request-store.ts savePullRequest
insert into "webhooks"."pull_requests" ("group_id", "url", "repository", "number", "title", "branch", "author",
  "head_sha", "merge_sha", "issues", "opened_at", "merged_at", "stated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict ("group_id", "url") do update
set "repository" = $14, "number" = $15, "title" = $16, "branch" = $17, "author" = $18, "head_sha" = $19,
  "merge_sha" = $20, "issues" = $21, "opened_at" = $22, "merged_at" = $23, "stated_at" = $24,
  "changed_at" = $25
where "webhooks"."pull_requests"."stated_at" <= $26;
