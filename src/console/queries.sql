-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/console/reporter/reporter-store.ts deleteReporter
delete from console.reporters
where group_id = $1;

-- src/console/reporter/reporter-store.ts findReporter
select public_id, group_id, origins
from console.reporters
where public_id = $1;

-- src/console/reporter/reporter-store.ts reporterOf
select public_id, group_id, origins
from console.reporters
where group_id = $1;

-- src/console/reporter/reporter-store.ts saveReporter
insert into console.reporters (public_id, group_id, origins) values ($1, $2, $3)
on conflict (group_id) do update set origins = excluded.origins
returning public_id, group_id, origins;

-- src/console/store/deleted-groups.ts deleteEvents
delete from console.events where group_id = $1
and id in (select id from console.events where group_id = $1 order by id limit 5000);

-- src/console/store/deleted-groups.ts deleteOfDeletedGroups
with recursive known as (
  (select group_id from console.hours order by group_id limit 1)
  union all
  select (select group_id from console.hours where group_id > known.group_id order by group_id limit 1)
  from known where known.group_id is not null
)
select group_id from known
where group_id is not null and not exists (select from access.groups where id = group_id);

delete from console.heads
where group_id = $1;

delete from console.minutes
where group_id = $1;

delete from console.hours
where group_id = $1;

-- src/console/store/error-store.ts readErrors
select id, group_id, service, source, title, left(message, 2000) as message from console.events
where severity >= 4 and id > $1 and id < $2 order by id limit $3;

-- src/console/store/event-store.ts countRange
select count(*)::int as count from (
  select from console.events
  where group_id = $3 and sequence > $1 and sequence <= $2 limit 100000
) as counted;

select count(*)::int as count from (
  select from console.events
 
    where group_id = $3 and id >= $4::uuid and id < $5::uuid and severity >= 4 and type = any($6::text[]) and service = any($7::text[]) and (service <> all($8::text[])) is not false and sequence > $1 and sequence <= $2
    limit 100000
) as counted;

-- src/console/store/event-store.ts findEvent
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
from console.events
where group_id = $1
  and id = $2;

-- src/console/store/event-store.ts listAfter
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
  where group_id = $3 and id > $1::uuid
order by id limit $2;

select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
  where group_id = $3 and id >= $4::uuid and id < $5::uuid and severity >= 4 and type = any($6::text[]) and service = any($7::text[]) and (service <> all($8::text[])) is not false and id > $1::uuid
order by id limit $2;

-- src/console/store/event-store.ts readGroup
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
where group_id = $1 and sequence > $2 and sequence <= $3 order by sequence limit $4;

-- src/console/store/event-store.ts readHeads
select given.id as group_id,
  greatest(heads.sequence, (select sequence from console.head), 0)::float8 as sequence
from unnest($1::uuid[]) as given (id) left join console.heads on group_id = given.id;

-- src/console/store/event-store.ts readRange
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
where group_id = $4 and sequence > $1 and sequence <= $2 order by sequence limit $3;

select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
where group_id = $4 and id >= $5::uuid and id < $6::uuid and severity >= 4 and type = any($7::text[]) and service = any($8::text[]) and (service <> all($9::text[])) is not false and sequence > $1 and sequence <= $2
  order by sequence
  limit $3;

-- src/console/store/event-store.ts select
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
  where group_id = $1
order by id desc limit $2;

select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
  where group_id = $1 and id < $2::uuid
order by id desc limit $3;

select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
  where group_id = $1 and id >= $2::uuid and id < $3::uuid and severity >= 4 and type = any($4::text[]) and service = any($5::text[]) and (service <> all($6::text[])) is not false and words @@ $7::tsquery
order by id desc limit $8;

select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from console.events
  where group_id = $1 and id >= $2::uuid and id < $3::uuid and severity >= 4 and type = any($4::text[]) and service = any($5::text[]) and (service <> all($6::text[])) is not false and id < $7::uuid and words @@ $8::tsquery
order by id desc limit $9;

-- src/console/store/event-store.ts selectNewest
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from (
  select *
    from console.events
    where group_id = $1 and id >= $2::uuid and id < $3::uuid and severity >= 4
    order by id desc
    limit 5000
) as newest
where group_id = $4 and id >= $5::uuid and id < $6::uuid and severity >= 4 and type = any($7::text[]) and service = any($8::text[]) and (service <> all($9::text[])) is not false
  order by id desc
  limit $10;

select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from (
  select *
    from console.events
    where group_id = $1 and id >= $2::uuid and id < $3::uuid and severity >= 4 and id < $4::uuid
    order by id desc
    limit 5000
) as newest
where group_id = $5 and id >= $6::uuid and id < $7::uuid and severity >= 4 and type = any($8::text[]) and service = any($9::text[]) and (service <> all($10::text[])) is not false
  order by id desc
  limit $11;

-- src/console/store/event-store.ts store
select *
from console.store_in_lanes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- src/console/store/metadata-list.ts listByMetadata
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from (
  select * from console.events where group_id = $1 order by id desc limit 20000
) as newest
where group_id = $2 and (metadata -> $4::text = any($3::text[]::jsonb[])) is true and (metadata -> $6::text -> $7::text = any($5::text[]::jsonb[])) is not true
  order by id desc
  limit $8;

select id
from console.events
where group_id = $1
order by id desc offset 19999
limit 1;

select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata
  from (
  select * from console.events where group_id = $1 and id < $2::uuid order by id desc limit 20000
) as newest
where group_id = $3 and (metadata -> $5::text = any($4::text[]::jsonb[])) is true and (metadata -> $7::text -> $8::text = any($6::text[]::jsonb[])) is not true
  order by id desc
  limit $9;

select id
from console.events
where group_id = $1
  and id < $2::uuid
order by id desc offset 19999
limit 1;

-- src/console/store/partitions.ts create
create table console.events_19700101 (like console.events including defaults including constraints including generated
including storage);

alter table console.events attach partition console.events_19700101
for values from ('00000000-0000-0000-0000-000000000000') to ('00000526-5c00-0000-0000-000000000000');

-- src/console/store/partitions.ts deleteBefore
set local lock_timeout = '2s';

drop table console.events_20000101;

-- src/console/store/partitions.ts deleteRows
delete from console.sent_ids
where ctid = any (array(select ctid from console.sent_ids where event_id < $1 limit 50000));

delete from console.minutes
where ctid = any (array(select ctid from console.minutes where minute < $1 limit 50000));

delete from console.hours
where ctid = any (array(select ctid from console.hours where hour < $1 limit 50000));

-- src/console/store/partitions.ts listDays
select c.oid::regclass::text as "table", pg_get_expr(c.relpartbound, c.oid) as bound
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'console.events'::regclass;

-- src/console/store/search-store.ts plannedRows
explain (format json) select
from console.events
where words @@ $1::tsquery;

explain (format json) select
from console.events;

-- src/console/store/search-store.ts run
with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
   select * from console.events where group_id = $3 order by id desc limit $4
 ) as newest
 where words @@ $1::tsquery and group_id = $5 order by id desc limit $2)
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
  ts_rank(words, $1::tsquery) as rank
from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
  select * from console.events where words @@ $1::tsquery and group_id = $3 offset 0
) as matching
order by id desc limit $2)
 select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
   ts_rank(words, $1::tsquery) as rank
 from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
   select * from console.events where group_id = $3 and id < $4::uuid order by id desc limit $5
 ) as newest
 where words @@ $1::tsquery and group_id = $6 order by id desc limit $2)
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
  ts_rank(words, $1::tsquery) as rank
from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
  select * from console.events where words @@ $1::tsquery and group_id = $3 and id < $4::uuid offset 0
) as matching
order by id desc limit $2)
 select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
   ts_rank(words, $1::tsquery) as rank
 from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words, ts_rank(words, $1::tsquery) as rank
  from (
  select * from console.events where words @@ $1::tsquery and group_id = $3 order by id desc limit 2000
) as newest
order by rank desc, id desc limit $2 offset $4)
 select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
   rank
 from found order by rank desc, id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
   select *
     from console.events
     where group_id = $3 and id >= $4::uuid and id < $5::uuid and severity >= 4
     order by id desc
     limit $6
 ) as newest

   where words @@ $1::tsquery and group_id = $7 and id >= $8::uuid and id < $9::uuid and severity >= 4 and type = any($10::text[]) and service = any($11::text[]) and (service <> all($12::text[])) is not false
   order by id desc
   limit $2)
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
  ts_rank(words, $1::tsquery) as rank
from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
  select *
    from console.events
    where words @@ $1::tsquery and words @@ $3::tsquery and group_id = $4 and id >= $5::uuid and id < $6::uuid and severity >= 4 and type = any($7::text[]) and service = any($8::text[]) and (service <> all($9::text[])) is not false offset 0
) as matching
order by id desc limit $2)
 select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
   ts_rank(words, $1::tsquery) as rank
 from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
   select *
     from console.events
     where group_id = $3 and id >= $4::uuid and id < $5::uuid and severity >= 4 and id < $6::uuid
     order by id desc
     limit $7
 ) as newest

   where words @@ $1::tsquery and group_id = $8 and id >= $9::uuid and id < $10::uuid and severity >= 4 and type = any($11::text[]) and service = any($12::text[]) and (service <> all($13::text[])) is not false
   order by id desc
   limit $2)
select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
  ts_rank(words, $1::tsquery) as rank
from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words
  from (
  select *
    from console.events
    where words @@ $1::tsquery and words @@ $3::tsquery and group_id = $4 and id >= $5::uuid and id < $6::uuid and severity >= 4 and type = any($7::text[]) and service = any($8::text[]) and (service <> all($9::text[])) is not false and id < $10::uuid offset 0
) as matching
order by id desc limit $2)
 select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
   ts_rank(words, $1::tsquery) as rank
 from found order by id desc;

with found as materialized (select id, group_id, sequence, severity, type, source, service, title, message,
  metadata, words, ts_rank(words, $1::tsquery) as rank
  from (
  select *
    from console.events
    where words @@ $1::tsquery and words @@ $3::tsquery and group_id = $4 and id >= $5::uuid and id < $6::uuid and severity >= 4 and type = any($7::text[]) and service = any($8::text[]) and (service <> all($9::text[])) is not false
    order by id desc
    limit 2000
) as newest
order by rank desc, id desc limit $2 offset $10)
 select id, group_id, sequence::float8 as sequence, severity, type, source, service, title, message, metadata,
   rank
 from found order by rank desc, id desc;

-- src/console/store/stats-store.ts countEvents
select $1::timestamptz as at, type, severity, source, service, count(*)::float8 as events
from console.events where group_id = $2 and id >= $3::uuid and id < $4::uuid group by 2, 3, 4, 5;

select $1::timestamptz as at, type, severity, source, service, count(*)::float8 as events
from console.events
  where group_id = $2 and id >= $3::uuid and id < $4::uuid and severity >= 4 and type = any($5::text[]) and service = any($6::text[]) and (service <> all($7::text[])) is not false
  group by 2, 3, 4, 5;

-- src/console/store/stats-store.ts countFound
select to_timestamp(('x' || translate(left(id::text, 13), '-',
  ''))::bit(48)::bigint / 1000 / $2::int * $2::int) as at, type, severity, source, service,
  count(*)::float8 as events
from console.events
  where words @@ $1::tsquery and group_id = $3 and id >= $4::uuid and id < $5::uuid
  group by 1, 2, 3, 4, 5;

select to_timestamp(('x' || translate(left(id::text, 13), '-',
  ''))::bit(48)::bigint / 1000 / $2::int * $2::int) as at, type, severity, source, service,
  count(*)::float8 as events
from console.events
  where words @@ $1::tsquery and group_id = $3 and id >= $4::uuid and id < $5::uuid and severity >= 4 and type = any($6::text[]) and service = any($7::text[]) and (service <> all($8::text[])) is not false
  group by 1, 2, 3, 4, 5;

-- src/console/store/stats-store.ts selectCells
select to_timestamp(floor(extract(epoch from minute) / $4) * $4) as at, type, severity, source, service,
  sum(events)::float8 as events
from console.minutes
where group_id = $1 and minute >= $2 and minute < $3
group by 1, 2, 3, 4, 5;

select to_timestamp(floor(extract(epoch from hour) / $4) * $4) as at, type, severity, source, service,
  sum(events)::float8 as events
from console.hours
where group_id = $1 and hour >= $2 and hour < $3
group by 1, 2, 3, 4, 5;

select to_timestamp(floor(extract(epoch from minute) / $4) * $4) as at, type, severity, source, service,
  sum(events)::float8 as events
from console.minutes
where group_id = $1 and minute >= $2 and minute < $3 and severity >= 4 and type = any($5::text[]) and service = any($6::text[]) and (service <> all($7::text[])) is not false
group by 1, 2, 3, 4, 5;

select to_timestamp(floor(extract(epoch from hour) / $4) * $4) as at, type, severity, source, service,
  sum(events)::float8 as events
from console.hours
where group_id = $1 and hour >= $2 and hour < $3 and severity >= 4 and type = any($5::text[]) and service = any($6::text[]) and (service <> all($7::text[])) is not false
group by 1, 2, 3, 4, 5;

-- src/console/view-store.ts deleteView
delete from console.views
where group_id = $1
  and id = $2;

-- src/console/view-store.ts listViews
select id, name, query, created_by, created_at
from console.views
where group_id = $1
order by name, id;

-- src/console/view-store.ts saveView
insert into console.views (id, group_id, name, query, created_by)
select $1, $2, $3, $4, $5
where (select count(*) from console.views where group_id = $2 and name <> $3) < $6
on conflict (group_id, name) do update set query = excluded.query, created_by = excluded.created_by
returning id, name, query, created_by, created_at;
