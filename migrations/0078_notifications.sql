-- Channels that people are notified by, what was sent, and the bell.
create schema notifications;

create table notifications.channels (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  name text not null check (length(name) between 1 and 100),
  type text not null check (type in ('webhook', 'slack', 'teams', 'email', 'pagerduty')),
  -- What may be shown. What may not (secrets, keys, addresses that are secrets) is sealed.
  config jsonb not null,
  secret_id uuid references vault.secrets on delete cascade,
  -- Empty: all.
  kinds text[] not null default '{}',
  min_severity text not null default 'info' check (min_severity in ('info', 'warning', 'error', 'critical')),
  quiet_hours jsonb,
  is_active boolean not null default true,
  -- Failed tries since the last one that succeeded.
  failures integer not null default 0,
  failing_since timestamptz(3),
  last_error text,
  last_delivered_at timestamptz(3),
  created_by uuid references access.users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index channels_by_group on notifications.channels (group_id, created_at, id);
create index channels_by_secret on notifications.channels (secret_id);

create table notifications.notifications (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  alert_id uuid,
  kind text not null,
  severity text not null check (severity in ('info', 'warning', 'error', 'critical')),
  state text not null check (state in ('firing', 'resolved')),
  title text not null,
  text text not null,
  path text not null,
  -- The same thing again has the same key.
  key text not null,
  data jsonb not null,
  -- A firing that nothing has resolved.
  is_open boolean not null,
  -- How often it was sent; the same key and state again only counts here.
  count integer not null default 1,
  last_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now()
);
create index notifications_in_order on notifications.notifications (group_id, id desc);
create index notifications_by_key on notifications.notifications (group_id, key, id desc);
create index notifications_open on notifications.notifications (group_id, id) where is_open;
create index notifications_by_time on notifications.notifications (created_at);

-- One message to one channel. The row is the job: it is written with the notification, and a process leases it.
create table notifications.deliveries (
  id uuid primary key,
  channel_id uuid not null references notifications.channels on delete cascade,
  group_id uuid not null references access.groups on delete cascade,
  -- Empty: a test.
  notification_ids uuid[] not null,
  -- Messages about the same thing are delivered in order; null where a message may hold several things.
  key text,
  status text not null check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  -- Every try: when, status code, error, response, duration.
  tries jsonb not null default '[]',
  due_at timestamptz(3) not null,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index deliveries_due on notifications.deliveries (due_at) where status = 'pending';
create index deliveries_pending on notifications.deliveries (channel_id, id) where status = 'pending';
create index deliveries_in_order on notifications.deliveries (channel_id, id desc);
create index deliveries_by_group on notifications.deliveries (group_id);
create index deliveries_by_time on notifications.deliveries (created_at);

create function notifications.tell_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('notifications_due', '');
  return null;
end $$;
create trigger deliveries_added after insert
  on notifications.deliveries for each statement execute function notifications.tell_due();

-- What a person has seen in the bell.
create table notifications.reads (
  user_id uuid not null references access.users on delete cascade,
  notification_id uuid not null references notifications.notifications on delete cascade,
  primary key (user_id, notification_id)
);
create index reads_by_notification on notifications.reads (notification_id);
