-- Agents write records by SQL too. What the API fills in is filled in here, so that a statement names only what it means.

-- The group of the role that writes; the platform's own statements always name theirs.
create function records.group_of_role() returns uuid
  language sql stable
  return nullif(current_setting('signalbox.group_id', true), '')::uuid;

alter table records.services
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role(),
  alter column interval_s set default 60,
  alter column timeout_ms set default 10000,
  alter column expect_status set default 200,
  alter column failures_to_open set default 3,
  alter column passes_to_close set default 2,
  alter column allow_private set default false,
  alter column is_public set default false,
  alter column is_paused set default false;

alter table records.maintenance_windows
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role();

alter table records.deployments
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role(),
  alter column environment set default 'production',
  alter column status set default 'started',
  alter column started_at set default now(),
  alter column is_rework set default false,
  alter column source set default 'sql',
  alter column status_at set default now();

alter table records.incidents
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role(),
  alter column opened_at set default now(),
  alter column source set default 'sql';

alter table records.tickets
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role(),
  alter column description set default '',
  alter column status set default 'open',
  alter column last_activity_at set default now(),
  alter column source set default 'sql',
  alter column status_at set default now(),
  alter column created_at set default now();

alter table records.devlogs
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role(),
  alter column log_type set default 'note',
  alter column content set default '',
  alter column tags set default '{}',
  alter column metadata set default '{}',
  alter column author_kind set default 'ai',
  alter column created_at set default now();

alter table records.skills
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role(),
  alter column description set default '',
  alter column content set default '',
  alter column tags set default '{}',
  alter column metadata set default '{}',
  alter column author_kind set default 'ai';

alter table records.learnings
  alter column id set default gen_random_uuid(),
  alter column group_id set default records.group_of_role(),
  alter column category set default 'general',
  alter column content set default '',
  alter column tags set default '{}',
  alter column metadata set default '{}',
  alter column author_kind set default 'ai';

-- Whoever changes a record, the days of analytics are marked by us: agents have no right to that schema.
alter function analytics.deployment_changed() security definer set search_path = pg_catalog, pg_temp;
alter function analytics.ticket_changed() security definer set search_path = pg_catalog, pg_temp;
alter function analytics.devlog_changed() security definer set search_path = pg_catalog, pg_temp;
