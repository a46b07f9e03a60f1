create schema records;

-- Times have milliseconds: that is what clients get, so a page that continues at a time misses no row.

create table records.services (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  -- Deployments, events and alerts name a service by this.
  name text not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  title text not null,
  description text not null default '',
  -- Null: nothing is checked.
  url text,
  interval_s integer not null check (interval_s between 10 and 86400),
  timeout_ms integer not null check (timeout_ms between 100 and 60000),
  expect_status integer not null check (expect_status between 100 and 599),
  failures_to_open integer not null check (failures_to_open between 1 and 100),
  passes_to_close integer not null check (passes_to_close between 1 and 100),
  allow_private boolean not null,
  is_public boolean not null,
  is_paused boolean not null,
  state text not null default 'unknown' check (state in ('unknown', 'up', 'down', 'maintenance')),
  state_since timestamptz(3) not null default now(),
  failures integer not null default 0,
  passes integer not null default 0,
  -- Null: no check is due, because there is no URL or the service is paused.
  next_check_at timestamptz(3),
  last_checked_at timestamptz(3),
  last_status_code integer,
  last_latency_ms integer,
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (group_id, name),
  check (timeout_ms <= interval_s * 1000)
);
create index services_due on records.services (next_check_at) where next_check_at is not null;

create table records.maintenance_windows (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  service_id uuid not null references records.services on delete cascade,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  note text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (starts_at < ends_at)
);
create index maintenance_windows_by_service on records.maintenance_windows (service_id, ends_at);

-- Single checks are kept for days, their sums for a year.
create table records.health_checks (
  service_id uuid not null references records.services on delete cascade,
  at timestamptz(3) not null,
  ok boolean not null,
  in_maintenance boolean not null,
  status_code integer,
  latency_ms integer,
  error text,
  primary key (service_id, at)
);
create index health_checks_by_time on records.health_checks (at);

-- Counts of checks, by UTC minute, hour and day. A check in a maintenance window counts as maintenance only.
create table records.health_rollups (
  service_id uuid not null references records.services on delete cascade,
  resolution text not null check (resolution in ('minute', 'hour', 'day')),
  at timestamptz(3) not null,
  ok_count integer not null,
  failed_count integer not null,
  maintenance_count integer not null,
  -- Of the checks that got a response.
  latency_count integer not null,
  latency_sum_ms bigint not null,
  latency_max_ms integer,
  primary key (service_id, resolution, at)
);
create index health_rollups_by_time on records.health_rollups (resolution, at);

create table records.deployments (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  -- A name, not a key: deployments of services that nobody registered count too.
  service text not null,
  environment text not null,
  version text,
  status text not null check (status in ('started', 'succeeded', 'failed', 'rolled_back')),
  started_at timestamptz(3) not null,
  -- Set exactly when the status is final.
  finished_at timestamptz(3),
  commit text,
  -- When the oldest new commit was made, for the lead time.
  committed_at timestamptz(3),
  url text,
  deployed_by text,
  -- An unplanned deployment that repairs something, such as a hotfix.
  is_rework boolean not null,
  -- The incident that this deployment repairs. No foreign key: incidents refer to deployments, and a backup needs an
  -- order in which tables can be filled.
  incident_id uuid,
  source text not null,
  external_id text,
  -- When the status last changed where it comes from: an older change never replaces a newer one.
  status_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (group_id, source, external_id),
  check ((status = 'started') = (finished_at is null)),
  check (finished_at >= started_at)
);
create index deployments_by_start on records.deployments (group_id, started_at, id);
create index deployments_by_finish on records.deployments (group_id, finished_at);

create table records.incidents (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  service_id uuid not null references records.services on delete cascade,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  cause text not null,
  note text not null default '',
  -- The deployment that caused it.
  deployment_id uuid references records.deployments on delete set null,
  -- health_check, or the kind of webhook that reported it.
  source text not null,
  external_id text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (group_id, source, external_id),
  check (closed_at >= opened_at)
);
create unique index incidents_open_by_check on records.incidents (service_id)
  where closed_at is null and source = 'health_check';
create index incidents_by_group on records.incidents (group_id, opened_at, id);
create index incidents_by_service on records.incidents (service_id, opened_at);
create index incidents_by_deployment on records.incidents (deployment_id) where deployment_id is not null;
create index deployments_by_incident on records.deployments (incident_id) where incident_id is not null;

create table records.tickets (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  title text not null,
  description text not null,
  status text not null check (status in ('open', 'in_progress', 'done', 'cancelled')),
  priority text,
  assignee text,
  -- No foreign key: initiatives belong to another part.
  initiative_id uuid,
  url text,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  cancelled_at timestamptz(3),
  last_activity_at timestamptz(3) not null,
  source text not null,
  external_id text,
  status_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null default now(),
  unique (group_id, source, external_id),
  check ((status = 'done') = (completed_at is not null)),
  check ((status = 'cancelled') = (cancelled_at is not null))
);
create index tickets_by_time on records.tickets (group_id, created_at, id);
create index tickets_by_completion on records.tickets (group_id, completed_at) where completed_at is not null;
create index tickets_unfinished on records.tickets (group_id, last_activity_at)
  where status in ('open', 'in_progress');
create index tickets_by_change on records.tickets (updated_at, id);

create table records.devlogs (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  -- As it was sent: the ID or the name of a service, or the ID of an agent.
  service_id text,
  -- The name of that service, otherwise the same as service_id.
  service text,
  log_type text not null,
  title text not null,
  content text not null,
  tags text[] not null,
  metadata jsonb not null,
  author_kind text not null check (author_kind in ('human', 'ai')),
  author text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null default now()
);
create index devlogs_by_time on records.devlogs (group_id, created_at, id);
create index devlogs_by_change on records.devlogs (updated_at, id);

create table records.skills (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  name text not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  description text not null,
  content text not null,
  tags text[] not null,
  metadata jsonb not null,
  author_kind text not null check (author_kind in ('human', 'ai')),
  author text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (group_id, name)
);
create index skills_by_time on records.skills (group_id, created_at, id);

create table records.learnings (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  service_id text,
  service text,
  category text not null,
  title text not null,
  content text not null,
  tags text[] not null,
  metadata jsonb not null,
  author_kind text not null check (author_kind in ('human', 'ai')),
  author text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index learnings_by_time on records.learnings (group_id, created_at, id);
create index learnings_by_change on records.learnings (updated_at, id);

-- One page per group. Its address is shared by all groups, so the slug is unique.
create table records.status_pages (
  group_id uuid primary key references access.groups on delete cascade,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  title text not null,
  description text not null,
  is_enabled boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
