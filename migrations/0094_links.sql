-- What a push and a pull request say beyond the time of a commit, so that a deployment leads to the work behind it.
alter table webhooks.commits
  add column repository text,
  add column branch text,
  -- The first line.
  add column message text,
  add column author text,
  add column url text,
  -- When it was made; committed_at is the time of the oldest commit that came with it.
  add column made_at timestamptz(3),
  add column changed_at timestamptz(3) not null default now();

create table webhooks.pull_requests (
  group_id uuid not null references access.groups on delete cascade,
  -- The address of its page is its ID.
  url text not null,
  -- With its owner: `shop/checkout`.
  repository text not null,
  number integer not null,
  title text not null,
  branch text,
  author text,
  head_sha text,
  merge_sha text,
  -- Addresses of the issues that it closes.
  issues text[] not null,
  opened_at timestamptz(3),
  merged_at timestamptz(3),
  -- By the clock of the sender: an older delivery does not replace a newer one.
  stated_at timestamptz(3) not null,
  changed_at timestamptz(3) not null default now(),
  primary key (group_id, url)
);
create index pull_requests_by_change on webhooks.pull_requests (changed_at, url);
create index pull_requests_by_branch on webhooks.pull_requests (group_id, branch);

create schema links;

-- From what happened to what it came from: a deployment to its commit, a session to its ticket.
create table links.links (
  id uuid primary key default gen_random_uuid(),
  group_id uuid not null references access.groups on delete cascade,
  from_type text not null,
  from_id text not null,
  to_type text not null,
  to_id text not null,
  relation text not null,
  how text not null check (how in ('exact', 'inferred', 'person')),
  evidence text not null check (char_length(evidence) <= 1000),
  confidence real not null check (confidence between 0 and 1),
  -- A person says that it is wrong: it stays, so that it is not found again.
  dismissed_at timestamptz(3),
  created_by uuid references access.users on delete set null,
  created_at timestamptz(3) not null default now(),
  unique (group_id, from_type, from_id, to_type, to_id, relation, how)
);
create index links_by_source on links.links (from_type, from_id);
create index links_by_target on links.links (to_type, to_id);
create index links_by_creator on links.links (created_by) where created_by is not null;

-- How far each source has been read.
create table links.cursors (
  source text primary key,
  at timestamptz not null,
  id text not null
);

-- What links read of other parts, and nothing else of them.
create view links.services as
  select id, group_id, name, title, updated_at as changed_at from records.services;
create view links.deployments as
  select id, group_id, service, environment, version, status, started_at, finished_at, lower(commit) as commit,
    incident_id, updated_at as changed_at
  from records.deployments;
create view links.incidents as
  select i.id, i.group_id, i.service_id, s.name as service, s.title as service_title, i.cause, i.opened_at,
    i.deployment_id, i.updated_at as changed_at
  from records.incidents i join records.services s on s.id = i.service_id;
-- `key` as in SHOP-12, `number` as in /issues/12: what a branch names a ticket by.
create view links.tickets as
  select id, group_id, title, description, initiative_id, url, created_at, updated_at as changed_at,
    coalesce(completed_at, cancelled_at) as closed_at,
    upper(coalesce(
      substring(external_id from '^([A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,7})$'),
      substring(url from '/([A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,7})$'))) as key,
    coalesce(substring(url from '/issues/([0-9]{1,7})$'), substring(external_id from '^#?([0-9]{1,7})$')) as number,
    lower(substring(url from '/([^/]+)/(?:-/)?issues/[0-9]{1,7}$')) as repository,
    left(id::text, 8) as short_id
  from records.tickets;
create view links.runs as
  select id, group_id, agent_id, request, (ticket ->> 'id')::uuid as ticket_id, parent_id, started_by, created_at,
    updated_at as changed_at
  from agents.runs;
create view links.sql_changes as
  select attempt_id as id, group_id, database, operations, reason, (asked_by ->> 'run_id')::uuid as run_id,
    created_at, created_at as changed_at
  from sql.audit
  where phase = 'after' and status = 'executed'
    and not operations <@ array['SELECT', 'SHOW', 'EXPLAIN', 'VALUES', 'TABLE'];
create view links.standups as
  select id, group_id, initiative_id, started_at, started_at as changed_at from standups.sessions;
create view links.decisions as
  select id, group_id, initiative_id, title, decision, rationale, standup_id, supersedes, decided_at,
    updated_at as changed_at
  from initiatives.decisions;
create view links.initiatives as
  select id, group_id, slug, title, updated_at as changed_at from initiatives.initiatives;
create view links.initiative_links as
  select l.id, i.group_id, l.initiative_id, l.kind, l.target, l.created_at as changed_at
  from initiatives.links l join initiatives.initiatives i on i.id = l.initiative_id;
create view links.criteria as
  select c.id, c.initiative_id, c.text, c.confidence, c.created_at from initiatives.criteria c;
create view links.confidence_changes as
  select criterion_id, before, confidence, created_at from initiatives.confidence_changes;
-- What a branch names: SHOP-12, a number, or the beginning of an ID.
create function links.key_in(branch text) returns text language sql immutable parallel safe
  return upper(substring(branch from '([A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,7})(?![0-9])'));
create function links.number_in(branch text) returns text language sql immutable parallel safe
  return substring(branch from '(?:^|[/_#-])([0-9]{1,7})(?:[/_-]|$)');
create function links.short_id_in(branch text) returns text language sql immutable parallel safe
  return substring(branch from '(?:^|[/_-])([0-9a-f]{8})(?:[/_-]|$)');
-- The last part of a folder or a repository, by which a session and a repository are known to be of one project.
create function links.last_part(path text) returns text language sql immutable parallel safe
  return lower(substring(path from '([^/\\]+)[/\\]*$'));
create view links.sessions as
  select s.id, g.group_id, s.assistant, s.external_id, s.machine, s.project, s.git_branch as branch,
    links.last_part(s.project) as folder, s.title, s.first_prompt, s.links, s.parent_key, s.fork_key, s.started_at,
    coalesce(s.ended_at, s.created_at) as last_at, s.message_count, s.updated_at as changed_at
  from transcripts.sessions s join transcripts.groups g on g.no = s.group_no;
create view links.commits as
  select sha as id, group_id, lower(repository) as repository, branch, message, author, url,
    coalesce(made_at, committed_at) as made_at, changed_at
  from webhooks.commits;
create view links.pull_requests as
  select url as id, group_id, lower(repository) as repository, number, title, branch, author, head_sha, merge_sha,
    issues, opened_at, merged_at, stated_at, changed_at
  from webhooks.pull_requests;
-- What a request cost is one number that is never null: sums of it are those of the usage log.
create view links.requests as
  select id, group_id, api_key_id, session_key, subagent_key, started_at, model, endpoint, user_label,
    coalesce(input_cost + output_cost, input_cost, output_cost, 0) as cost
  from usage.usage_logs;
create view links.api_keys as select id, group_id, created_by, run_id from access.api_keys;
create view links.members as
  select m.group_id, u.id, u.name, u.email from access.memberships m join access.users u on u.id = m.user_id;

-- Links that hold, with how strong each is: 2 for what an ID or a person says, 1 for what was inferred.
create view links.live as
  select group_id, from_type, from_id, to_type, to_id, relation, how, confidence,
    case how when 'inferred' then 1 else 2 end as strength
  from links.links where dismissed_at is null;

-- What a unit of work (a session, a run, a stand-up, a request) was done for, on every path that counts. A path is as
-- strong as its weakest link.
create view links.work as
  with direct as (
    select group_id, from_type as unit_type, from_id as unit_id, to_type as type, to_id as id, strength
    from links.live
    where from_type in ('session', 'run', 'standup', 'request')
      and to_type in ('ticket', 'pull_request', 'initiative')
    union all
    select group_id, to_type, to_id, from_type, from_id, strength
    from links.live where from_type = 'pull_request' and to_type in ('session', 'run')
  ), tickets as (
    select group_id, unit_type, unit_id, id, strength from direct where type = 'ticket'
    union all
    select d.group_id, d.unit_type, d.unit_id, l.to_id, least(d.strength, l.strength)
    from direct d join links.live l on l.group_id = d.group_id and l.from_type = 'pull_request' and l.from_id = d.id
      and l.to_type = 'ticket'
    where d.type = 'pull_request'
  )
  select * from direct where type in ('pull_request', 'initiative')
  union all
  select group_id, unit_type, unit_id, 'ticket', id, strength from tickets
  union all
  select t.group_id, t.unit_type, t.unit_id, 'initiative', l.to_id, least(t.strength, l.strength)
  from tickets t join links.live l on l.group_id = t.group_id and l.from_type = 'ticket' and l.from_id = t.id
    and l.to_type = 'initiative';

-- Since when work on a thing is rework: the first deployment of it that failed.
create view links.failed as
  with requests as (
    select d.group_id, p.to_id as id, coalesce(d.finished_at, d.started_at) as at
    from links.deployments d
    join links.live c on c.group_id = d.group_id and c.from_type = 'deployment' and c.from_id = d.id::text
      and c.to_type = 'commit'
    join links.live p on p.group_id = c.group_id and p.from_type = 'commit' and p.from_id = c.to_id
      and p.to_type = 'pull_request'
    where d.status in ('failed', 'rolled_back')
  ), tickets as (
    select r.group_id, l.to_id as id, r.at
    from requests r join links.live l on l.group_id = r.group_id and l.from_type = 'pull_request' and l.from_id = r.id
      and l.to_type = 'ticket'
    union all
    select r.group_id, t.to_id, r.at
    from requests r join links.live s on s.group_id = r.group_id and s.from_type = 'pull_request' and s.from_id = r.id
      and s.to_type = 'session'
    join links.live t on t.group_id = s.group_id and t.from_type = 'session' and t.from_id = s.to_id
      and t.to_type = 'ticket'
  ), initiatives as (
    select t.group_id, l.to_id as id, t.at
    from tickets t join links.live l on l.group_id = t.group_id and l.from_type = 'ticket' and l.from_id = t.id
      and l.to_type = 'initiative'
  )
  select group_id, type, id, min(at) as at from (
    select 'pull_request' as type, * from requests
    union all select 'ticket', * from tickets
    union all select 'initiative', * from initiatives
  ) as all_failed
  group by group_id, type, id;
