create schema standups;

create table standups.sessions (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  initiative_id uuid not null references initiatives.initiatives on delete cascade,
  -- The initiative's title when it started, for the search.
  title text not null,
  status text not null check (status in ('open', 'ended')),
  model text not null,
  brief jsonb not null,
  message_count integer not null default 0,
  started_by uuid references access.users on delete set null,
  started_by_name text,
  started_at timestamptz(3) not null default now(),
  last_activity_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  ended_reason text check (ended_reason in ('person', 'idle')),
  -- Somebody said something that the agent has not heard.
  is_waiting boolean not null default false,
  -- What a process does with the session just now; when the time is over, the process has died.
  work text check (work in ('turn', 'end')),
  work_id uuid,
  work_until timestamptz(3),
  check ((status = 'ended') = (ended_at is not null)),
  check ((work is null) = (work_id is null) and (work is null) = (work_until is null))
);
create unique index sessions_one_open on standups.sessions (initiative_id) where status = 'open';
create index sessions_by_initiative on standups.sessions (initiative_id, started_at, id);
create index sessions_by_group on standups.sessions (group_id);
create index sessions_open on standups.sessions (last_activity_at) where status = 'open';
create index sessions_by_end on standups.sessions (ended_at, id) where status = 'ended';

-- What was said and done, in order. Rows of one session are written while its row is locked, so they become visible
-- in the order of their ids.
create table standups.events (
  id bigint generated always as identity primary key,
  session_id uuid not null references standups.sessions on delete cascade,
  type text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index events_by_session on standups.events (session_id, id);

create function standups.notify_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('standup_events', new.session_id || ' ' || new.id);
  return null;
end $$;
create trigger notify_events after insert on standups.events
  for each row execute function standups.notify_events();

create table standups.proposals (
  id uuid primary key,
  session_id uuid not null references standups.sessions on delete cascade,
  kind text not null check (kind in ('decision', 'confidence')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected')),
  -- As the agent proposed it, and as it is now.
  proposed jsonb not null,
  content jsonb not null,
  edited boolean not null default false,
  settled_by uuid references access.users on delete set null,
  settled_by_name text,
  settled_at timestamptz(3),
  reason text,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index proposals_by_session on standups.proposals (session_id, created_at, id);

-- Drafts, with what they said before a person edited them.
create table standups.drafts (
  id uuid primary key,
  session_id uuid not null references standups.sessions on delete cascade,
  type text not null check (type in ('meeting_notes', 'decision_record', 'criteria_update')),
  status text not null default 'draft' check (status in ('draft', 'approved', 'rejected')),
  drafted_title text not null,
  drafted_content text not null,
  title text not null,
  content text not null,
  proposal_id uuid references standups.proposals on delete set null,
  -- What approving it changes beyond the document.
  effect jsonb not null,
  settled_by uuid references access.users on delete set null,
  settled_by_name text,
  settled_at timestamptz(3),
  reason text,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index drafts_by_session on standups.drafts (session_id, created_at, id);
create index drafts_by_proposal on standups.drafts (proposal_id) where proposal_id is not null;
