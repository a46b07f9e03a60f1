-- What reports read of one UTC day, packed: a report over a year reads 366 rows instead of hundreds of thousands.
-- Records have a fixed length and lie one after the other in the order of time; `src/analytics/days` reads them.
create table analytics.day_columns (
  group_id uuid not null references access.groups on delete cascade,
  kind text not null check (kind in ('deployments', 'tickets_created', 'tickets_closed', 'devlogs')),
  day date not null,
  -- Records refer to a service, and to its environment, by the place in these.
  services text[] not null,
  environments text[] not null,
  count integer not null,
  records bytea not null,
  primary key (group_id, kind, day)
);
-- Read as a whole: compressing it would cost more than it saves.
alter table analytics.day_columns alter column records set storage external;

-- Days on which a record changed since they were packed; they are packed from the records whenever they are read. One
-- row per change and no key: a transaction that is not committed yet has its own row, so nobody can delete it early, and
-- no two transactions wait for each other. A day that is neither here nor packed has no records.
create table analytics.changed_days (
  group_id uuid not null,
  kind text not null,
  day date not null
);
create index changed_days_by_day on analytics.changed_days (group_id, kind, day);

create function analytics.day_of(at timestamptz) returns date language sql immutable parallel safe as
  $$ select (at at time zone 'UTC')::date $$;
create function analytics.start_of(day date) returns timestamptz language sql immutable parallel safe as
  $$ select day::timestamp at time zone 'UTC' $$;
-- Milliseconds since the beginning of its day.
create function analytics.time_of_day(at timestamptz) returns bytea language sql immutable parallel safe as
  $$ select int4send((extract(epoch from at - analytics.start_of(analytics.day_of(at))) * 1000)::integer) $$;
-- Tells records of the same time apart.
create function analytics.end_of(id uuid) returns bytea language sql immutable parallel safe as
  $$ select substring(uuid_send(id) from 13) $$;
create function analytics.pack_number(value float8) returns bytea language sql immutable parallel safe as
  $$ select float8send(coalesce(value, 'NaN')) $$;

-- Time, place of service and environment, status and flags, build seconds, lead seconds, the end of the id: 30 bytes.
-- Clocks that disagree must not make a time negative.
create function analytics.pack_deployments(of_group uuid, of_day date)
  returns table (services text[], environments text[], count integer, records bytea)
language sql stable as $$
  with chosen as (
    select id, service collate "C" as service, environment collate "C" as environment, at,
      array_position(array['started', 'succeeded', 'failed', 'rolled_back'], status) - 1
        + is_rework::int * 4 + (incident_id is not null)::int * 8 as flags,
      extract(epoch from finished_at - started_at)::float8 as build,
      case when status = 'succeeded' and committed_at is not null
        then greatest(extract(epoch from finished_at - committed_at), 0)::float8 end as lead
    from analytics.deployments
    where group_id = of_group and at >= analytics.start_of(of_day) and at < analytics.start_of(of_day + 1)
  ), places as (
    select service, environment, (row_number() over (order by service, environment) - 1)::integer as place
    from (select distinct service, environment from chosen) as each
  )
  select (select array_agg(service order by place) from places),
    (select array_agg(environment order by place) from places), count(*)::integer,
    string_agg(analytics.time_of_day(at) || int4send(place) || int2send(flags::smallint)
      || analytics.pack_number(build) || analytics.pack_number(lead) || analytics.end_of(id), ''
      order by at, id)
  from chosen join places using (service, environment)
$$;

-- Time: 4 bytes.
create function analytics.pack_tickets_created(of_group uuid, of_day date)
  returns table (services text[], environments text[], count integer, records bytea)
language sql stable as $$
  select null::text[], null::text[], count(*)::integer,
    string_agg(analytics.time_of_day(created_at), '' order by created_at)
  from analytics.tickets
  where group_id = of_group and created_at >= analytics.start_of(of_day)
    and created_at < analytics.start_of(of_day + 1)
$$;

-- Time, 1 for completed and 0 for cancelled, hours from creation, hours from start: 22 bytes.
create function analytics.pack_tickets_closed(of_group uuid, of_day date)
  returns table (services text[], environments text[], count integer, records bytea)
language sql stable as $$
  select null::text[], null::text[], count(*)::integer,
    string_agg(analytics.time_of_day(closed_at) || int2send((completed_at is not null)::int::smallint)
      || analytics.pack_number(case when completed_at is not null
           then greatest(extract(epoch from completed_at - created_at), 0)::float8 / 3600 end)
      || analytics.pack_number(case when completed_at is not null and started_at is not null
           then greatest(extract(epoch from completed_at - started_at), 0)::float8 / 3600 end), ''
      order by closed_at)
  from analytics.tickets
  where group_id = of_group and closed_at >= analytics.start_of(of_day) and closed_at < analytics.start_of(of_day + 1)
$$;

-- Time, place of the service or -1, 1 for AI and 0 for people: 10 bytes.
create function analytics.pack_devlogs(of_group uuid, of_day date)
  returns table (services text[], environments text[], count integer, records bytea)
language sql stable as $$
  with chosen as (
    select service collate "C" as service, author_kind, created_at from analytics.devlogs
    where group_id = of_group and created_at >= analytics.start_of(of_day)
      and created_at < analytics.start_of(of_day + 1)
  ), places as (
    select service, (row_number() over (order by service) - 1)::integer as place
    from (select distinct service from chosen where service is not null) as each
  )
  select (select array_agg(service order by place) from places), null::text[], count(*)::integer,
    string_agg(analytics.time_of_day(created_at) || int4send(coalesce(place, -1))
      || int2send((author_kind = 'ai')::int::smallint), '' order by created_at)
  from chosen left join places using (service)
$$;

create function analytics.mark(of_group uuid, of_kind text, at timestamptz) returns void language sql as $$
  insert into analytics.changed_days select of_group, of_kind, analytics.day_of(at) where at is not null
$$;

create function analytics.deployment_changed() returns trigger language plpgsql as $$
begin
  perform analytics.mark(old.group_id, 'deployments', coalesce(old.finished_at, old.started_at));
  perform analytics.mark(new.group_id, 'deployments', coalesce(new.finished_at, new.started_at));
  return null;
end $$;
create trigger for_analytics after insert or delete on records.deployments
  for each row execute function analytics.deployment_changed();
create trigger for_analytics_changed after update on records.deployments for each row
  when ((old.service, old.environment, old.status, old.started_at, old.finished_at, old.committed_at, old.is_rework,
         old.incident_id)
    is distinct from (new.service, new.environment, new.status, new.started_at, new.finished_at, new.committed_at,
      new.is_rework, new.incident_id))
  execute function analytics.deployment_changed();

create function analytics.ticket_changed() returns trigger language plpgsql as $$
begin
  perform analytics.mark(old.group_id, 'tickets_created', old.created_at);
  perform analytics.mark(old.group_id, 'tickets_closed', coalesce(old.completed_at, old.cancelled_at));
  perform analytics.mark(new.group_id, 'tickets_created', new.created_at);
  perform analytics.mark(new.group_id, 'tickets_closed', coalesce(new.completed_at, new.cancelled_at));
  return null;
end $$;
create trigger for_analytics after insert or delete on records.tickets
  for each row execute function analytics.ticket_changed();
create trigger for_analytics_changed after update on records.tickets for each row
  when ((old.created_at, old.started_at, old.completed_at, old.cancelled_at)
    is distinct from (new.created_at, new.started_at, new.completed_at, new.cancelled_at))
  execute function analytics.ticket_changed();

create function analytics.devlog_changed() returns trigger language plpgsql as $$
begin
  perform analytics.mark(old.group_id, 'devlogs', old.created_at);
  perform analytics.mark(new.group_id, 'devlogs', new.created_at);
  return null;
end $$;
create trigger for_analytics after insert or delete on records.devlogs
  for each row execute function analytics.devlog_changed();
create trigger for_analytics_changed after update on records.devlogs for each row
  when ((old.service, old.author_kind, old.created_at) is distinct from (new.service, new.author_kind, new.created_at))
  execute function analytics.devlog_changed();

insert into analytics.changed_days
  select distinct group_id, 'deployments', analytics.day_of(at) from analytics.deployments
  union all select distinct group_id, 'tickets_created', analytics.day_of(created_at) from analytics.tickets
  union all select distinct group_id, 'tickets_closed', analytics.day_of(closed_at) from analytics.tickets
    where closed_at is not null
  union all select distinct group_id, 'devlogs', analytics.day_of(created_at) from analytics.devlogs;
