create schema alerts;

-- What a group wants to hear of. Without a row here nothing is evaluated.
create table alerts.rules (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  name text not null,
  kind text not null,
  config jsonb not null,
  severity text not null check (severity in ('info', 'warning', 'error', 'critical')),
  -- Channels to notify; empty: those of the group that take the kind and the severity.
  channels uuid[] not null default '{}',
  is_active boolean not null default true,
  -- What failed before is no news.
  active_since timestamptz(3) not null default now(),
  last_fired_at timestamptz(3),
  created_by uuid references access.users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index rules_by_group on alerts.rules (group_id, created_at, id);
create index rules_by_creator on alerts.rules (created_by) where created_by is not null;

-- Every process knows which groups have which kinds; any change here makes it look again.
create function alerts.tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('alerts_changed', '');
  return null;
end $$;
create trigger rules_changed after insert or delete or update of is_active
  on alerts.rules for each statement execute function alerts.tell_changed();

-- What fired, and whether people have been notified of its beginning and its end.
create table alerts.firings (
  id uuid primary key,
  alert_id uuid not null references alerts.rules on delete cascade,
  group_id uuid not null,
  -- What it is about, such as `service:…` or `day:2026-11-18:10`: the same thing does not fire twice.
  thing text not null,
  title text not null,
  text text not null,
  path text not null,
  data jsonb not null,
  fired_at timestamptz(3) not null,
  ended_at timestamptz(3),
  end_title text,
  end_text text,
  -- Null: still to be sent.
  told_at timestamptz(3),
  end_told_at timestamptz(3),
  check (ended_at >= fired_at)
);
create unique index firings_open on alerts.firings (alert_id, thing) where ended_at is null;
create index firings_by_thing on alerts.firings (alert_id, thing);
create index firings_untold on alerts.firings (alert_id)
  where told_at is null or (ended_at is not null and end_told_at is null);
create index firings_ended on alerts.firings (ended_at) where ended_at is not null;

-- How the last backups ended; the command that makes them writes it.
create table alerts.backups (
  id uuid primary key,
  finished_at timestamptz(3) not null,
  -- Null: it succeeded.
  error text
);
create index backups_by_time on alerts.backups (finished_at);
create function alerts.tell_backup() returns trigger language plpgsql as $$
begin
  perform pg_notify('alerts_backup', '');
  return null;
end $$;
create trigger backups_written after insert on alerts.backups for each statement execute function alerts.tell_backup();

-- Free space where each server keeps its data.
create table alerts.disks (
  host text primary key,
  free_bytes bigint not null,
  total_bytes bigint not null,
  measured_at timestamptz(3) not null
);

-- What alerts read of other parts, and nothing else of them.
create view alerts.usage_hours as
  select group_id, hour, api_key_id, provider, model, is_error, requests, unpriced_requests,
    coalesce(input_cost, 0) + coalesce(output_cost, 0) as cost
  from usage.hourly;
create view alerts.usage_days as
  select group_id, day, api_key_id, provider, model, coalesce(input_cost, 0) + coalesce(output_cost, 0) as cost
  from usage.daily;
create view alerts.requests as
  select group_id, id, api_key_id, provider, model, status_code, duration_ms, ttft_ms,
    coalesce(input_cost, 0) + coalesce(output_cost, 0) as cost
  from usage.usage_logs;
-- Each call to a provider, also those after which another target took over. A refused key reaches the client as 502, so
-- a request without a trail of calls says it in its message. A call without a response has no status: 599 here.
create view alerts.calls as
  select r.group_id, r.id, c.place, c.provider, c.provider_key_id, c.status_code, c.is_refused, c.message
  from usage.usage_logs r
  cross join lateral (
    select 0::bigint as place, r.provider, r.provider_key_id, r.status_code::integer as status_code,
      r.status_code = 402 or (r.status_code >= 500 and r.error_message like '%refused the stored provider key%')
        as is_refused,
      r.error_message as message
    where r.attempts is null
    union all
    select a.place, a.call ->> 'provider', (a.call ->> 'provider_key_id')::uuid,
      coalesce((a.call ->> 'status_code')::integer, 599), a.call ->> 'status_code' in ('401', '402', '403'),
      coalesce(a.call ->> 'error_code', r.error_message)
    from jsonb_array_elements(r.attempts) with ordinality as a(call, place)
  ) c;
create view alerts.api_keys as select id, group_id, name, created_by from access.api_keys;
create view alerts.members as
  select m.group_id, u.id, u.name from access.memberships m join access.users u on u.id = m.user_id;
create view alerts.time_zones as select id as group_id, coalesce(time_zone, 'UTC') as time_zone from access.groups;
create view alerts.provider_keys as
  select id, group_id, provider_id, name, key_suffix, is_active from vault.provider_keys;
create view alerts.approvals as
  select id, group_id, database, operations, agent_id, requester, reason, status, created_at, expires_at
  from sql.approvals;
create view alerts.runs as
  select id, group_id, agent_id, status, error, waiting_for, created_at, updated_at, finished_at from agents.runs;
create view alerts.deployments as
  select id, group_id, service, environment, version, status, coalesce(finished_at, started_at) as at
  from records.deployments;
create view alerts.services as
  select s.id, s.group_id, s.name, s.state, s.state_since, i.id as incident_id, i.opened_at, i.cause
  from records.services s
  left join lateral (
    select id, opened_at, cause from records.incidents
    where service_id = s.id and closed_at is null order by opened_at limit 1
  ) i on true;
create view alerts.incidents as select group_id, service_id, opened_at from records.incidents;
