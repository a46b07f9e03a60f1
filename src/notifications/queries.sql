-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/notifications/bell-store.ts countUnread
select count(*) from (
  select 1 from notifications.notifications n
  where n.group_id = $1  and not exists (
    select 1 from notifications.reads r where r.notification_id = n.id and r.user_id = $2
  ) limit $3
) unread;

select count(*) from (
  select 1 from notifications.notifications n
  where n.group_id = $1 and n.path <> all ($2::text[]) and not exists (
    select 1 from notifications.reads r where r.notification_id = n.id and r.user_id = $3
  ) limit $4
) unread;

-- src/notifications/bell-store.ts listBell
select "n"."id", "n"."alert_id", "n"."kind", "n"."severity", "n"."state", "n"."title", "n"."text", "n"."path",
  "n"."count", "n"."last_at", "n"."created_at", r.user_id is not null as "is_read"
from "notifications"."notifications" as "n"
left join "notifications"."reads" as "r" on "r"."notification_id" = "n"."id"
  and "r"."user_id" = $1
where "n"."group_id" = $2
order by "n"."id" desc
limit $3;

select "n"."id", "n"."alert_id", "n"."kind", "n"."severity", "n"."state", "n"."title", "n"."text", "n"."path",
  "n"."count", "n"."last_at", "n"."created_at", r.user_id is not null as "is_read"
from "notifications"."notifications" as "n"
left join "notifications"."reads" as "r" on "r"."notification_id" = "n"."id"
  and "r"."user_id" = $1
where "n"."group_id" = $2
  and "n"."id" < $3
order by "n"."id" desc
limit $4;

-- src/notifications/bell-store.ts markRead
insert into notifications.reads (user_id, notification_id)
select $1, id from notifications.notifications
where group_id = $2
  and ($3::uuid[] is null or id = any($4::uuid[]))
  and ($5::uuid is null or id <= $6::uuid)
on conflict do nothing;

-- src/notifications/channel-store.ts channelById
select *
from "notifications"."channels"
where "id" = $1;

-- src/notifications/channel-store.ts countChannels
select count(*) as "count"
from "notifications"."channels"
where "group_id" = $1;

-- src/notifications/channel-store.ts deleteChannel
delete from "notifications"."channels"
where "id" = $1;

-- src/notifications/channel-store.ts failingChannels
select *
from "notifications"."channels"
where "group_id" = $1
  and "is_active" = $2
  and "failing_since" is not null
order by "failing_since"
limit $3;

-- src/notifications/channel-store.ts findChannel
select *
from "notifications"."channels"
where "id" = $1
  and "group_id" in ($2);

-- src/notifications/channel-store.ts insertChannel
insert into "notifications"."channels" ("id", "group_id", "name", "type", "config", "secret_id", "kinds",
  "min_severity", "quiet_hours", "is_active", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning *;

-- src/notifications/channel-store.ts listChannels
select *
from "notifications"."channels"
where "group_id" = $1
order by "created_at", "id"
limit $2;

-- src/notifications/channel-store.ts markDelivered
update "notifications"."channels"
set "failures" = $1, "failing_since" = $2, "last_error" = $3, "last_delivered_at" = $4
where "id" = $5;

-- src/notifications/channel-store.ts markFailed
update "notifications"."channels"
set "failures" = failures + 1, "failing_since" = coalesce(failing_since, now()), "last_error" = $1
where "id" = $2
returning "failures";

-- src/notifications/channel-store.ts markPartlyDelivered
update "notifications"."channels"
set "failures" = $1, "failing_since" = coalesce(failing_since, now()), "last_error" = $2,
  "last_delivered_at" = $3
where "id" = $4;

-- src/notifications/channel-store.ts updateChannel
update "notifications"."channels"
set "name" = $1, "config" = $2, "quiet_hours" = $3, "secret_id" = $4, "updated_at" = $5
where "id" = $6
returning *;

-- src/notifications/delivery-store.ts cancelDelivery
update "notifications"."deliveries"
set "status" = $1, "finished_at" = $2, "leased_until" = $3
where "id" = $4
  and "status" = $5;

-- src/notifications/delivery-store.ts claimDue
update notifications.deliveries set leased_until = now() + make_interval(secs => $1)
where id in (
  select id from notifications.deliveries d
  where status = 'pending' and due_at <= now() and (leased_until is null or leased_until < now())
    and not exists (
      select 1 from notifications.deliveries o
      where o.channel_id = d.channel_id and o.status = 'pending' and o.key = d.key and o.id < d.id
    )
  order by due_at limit $2 for update skip locked
)
returning *;

-- src/notifications/delivery-store.ts countDue
select count(*) as "count"
from "notifications"."deliveries"
where "status" = $1
  and "due_at" <= now();

-- src/notifications/delivery-store.ts deleteOldDeliveries
delete from notifications.deliveries where id in (
  select id from notifications.deliveries where created_at < $1 limit $2
) returning id;

-- src/notifications/delivery-store.ts insertDelivery
insert into "notifications"."deliveries" ("id", "channel_id", "group_id", "notification_ids", "key", "due_at",
  "status")
values ($1, $2, $3, $4, $5, $6, $7);

insert into "notifications"."deliveries" ("id", "channel_id", "group_id", "notification_ids", "key", "due_at",
  "status", "tries", "finished_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- src/notifications/delivery-store.ts joinWaiting
update notifications.deliveries set notification_ids = notification_ids || $1::uuid
where id = (
  select id from notifications.deliveries
  where channel_id = $2 and status = 'pending' and key is null
    and (leased_until is null or leased_until < now())
    and due_at > now() and due_at <= $3::timestamptz
    and cardinality(notification_ids) < $4
  order by id limit 1 for update skip locked
)
returning id;

-- src/notifications/delivery-store.ts lastMessageAt
select "created_at"
from "notifications"."deliveries"
where "channel_id" = $1
  and cardinality(notification_ids) > 0
order by "id" desc
limit $2;

-- src/notifications/delivery-store.ts listDeliveries
select *
from "notifications"."deliveries"
where "channel_id" = $1
order by "id" desc
limit $2;

select *
from "notifications"."deliveries"
where "channel_id" = $1
  and "id" < $2
order by "id" desc
limit $3;

-- src/notifications/delivery-store.ts nextDue
select min(greatest(due_at, coalesce(leased_until, due_at))) as at
from notifications.deliveries where status = 'pending';

-- src/notifications/delivery-store.ts releaseLease
update "notifications"."deliveries"
set "leased_until" = $1
where "id" = $2;

-- src/notifications/delivery-store.ts saveTry
update notifications.deliveries set tries = tries || $1::jsonb, status = $2,
  due_at = coalesce($3::timestamptz, due_at), leased_until = null,
  left_to = coalesce($4::text[], left_to), refused_by = coalesce($5::text[], refused_by),
  key = case when $6::text[] is null then key else coalesce(key, id::text) end,
  finished_at = case when $7 = 'pending' then null else now() end
where id = $8 and status = 'pending';

-- src/notifications/notification-store.ts closeKey
update "notifications"."notifications"
set "is_open" = $1
where "group_id" = $2
  and "key" = $3
  and "is_open" = $4;

-- src/notifications/notification-store.ts countAgain
update "notifications"."notifications"
set "count" = count + 1, "last_at" = $1
where "id" = $2;

-- src/notifications/notification-store.ts deleteOldNotifications
delete from notifications.notifications where id in (
  select id from notifications.notifications where created_at < $1 limit $2
) returning id;

-- src/notifications/notification-store.ts findNotifications
select *
from "notifications"."notifications"
where "id" in ($1)
order by "id";

-- src/notifications/notification-store.ts insertNotification
insert into "notifications"."notifications" ("id", "group_id", "alert_id", "kind", "severity", "state",
  "title", "text", "path", "key", "data", "is_open")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
returning *;

-- src/notifications/notification-store.ts lastOfKey
select "id", "state", "severity", "created_at"
from "notifications"."notifications"
where "group_id" = $1
  and "key" = $2
order by "id" desc
limit $3;

-- src/notifications/repeat.ts dueRepeats
select c.id as channel_id, n.id as notification_id
from notifications.channels c
join notifications.notifications n on n.group_id = c.group_id and n.is_open
cross join lateral (
  select d.status, d.created_at from notifications.deliveries d
  where d.channel_id = c.id and n.id = any(d.notification_ids) order by d.id desc limit 1
) last
where c.is_active and c.config ? 'repeat_hours' and n.kind <> all($1)
  and n.created_at > now() - make_interval(days => $2)
  and last.status <> 'pending'
  and last.created_at < now() - make_interval(hours => (c.config->>'repeat_hours')::int)
order by n.id limit $3;
