create schema initiatives;

create table initiatives.initiatives (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  -- People and addresses name an initiative by this.
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  title text not null,
  description text not null,
  status text not null check (status in ('active', 'paused', 'done')),
  owner text,
  created_by uuid references access.users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (group_id, slug)
);
create index initiatives_by_time on initiatives.initiatives (group_id, created_at, id);
create index initiatives_by_change on initiatives.initiatives (updated_at, id);

create table initiatives.criteria (
  id uuid primary key,
  initiative_id uuid not null references initiatives.initiatives on delete cascade,
  text text not null,
  -- What the people believe; null: nobody has said so yet.
  confidence integer check (confidence between 0 and 100),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index criteria_by_initiative on initiatives.criteria (initiative_id, created_at, id);

-- Every change of a confidence, with its reason. Never changed, deleted only with the criterion.
create table initiatives.confidence_changes (
  id uuid primary key,
  criterion_id uuid not null references initiatives.criteria on delete cascade,
  before integer,
  confidence integer not null check (confidence between 0 and 100),
  -- What the agent had proposed, where the person chose another value.
  proposed integer check (proposed between 0 and 100),
  reason text not null,
  evidence jsonb not null,
  standup_id uuid,
  changed_by uuid references access.users on delete set null,
  changed_by_name text,
  created_at timestamptz(3) not null default now()
);
create index confidence_changes_by_criterion on initiatives.confidence_changes (criterion_id, created_at, id);

create table initiatives.findings (
  id uuid primary key,
  initiative_id uuid not null references initiatives.initiatives on delete cascade,
  text text not null,
  source text not null,
  url text,
  created_by_name text,
  created_at timestamptz(3) not null default now()
);
create index findings_by_initiative on initiatives.findings (initiative_id, created_at, id);

create table initiatives.questions (
  id uuid primary key,
  initiative_id uuid not null references initiatives.initiatives on delete cascade,
  text text not null,
  category text not null check (category in ('direction', 'priority', 'clarification', 'approval')),
  answer text,
  answered_by_name text,
  answered_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((answer is null) = (answered_at is null))
);
create index questions_by_initiative on initiatives.questions (initiative_id, created_at, id);

-- A decision never changes but for its status and what replaced it.
create table initiatives.decisions (
  id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  initiative_id uuid not null references initiatives.initiatives on delete cascade,
  title text not null,
  context text not null,
  options jsonb not null,
  decision text not null,
  rationale text not null,
  consequences text not null,
  evidence jsonb not null,
  decided_by text not null,
  decided_at timestamptz(3) not null,
  status text not null default 'accepted' check (status in ('accepted', 'deprecated', 'superseded')),
  supersedes uuid references initiatives.decisions on delete set null,
  superseded_by uuid references initiatives.decisions on delete set null,
  standup_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index decisions_by_initiative on initiatives.decisions (initiative_id, decided_at, id);
create index decisions_by_change on initiatives.decisions (updated_at, id);
create index decisions_by_superseded on initiatives.decisions (supersedes) where supersedes is not null;
create index decisions_by_successor on initiatives.decisions (superseded_by) where superseded_by is not null;

create function initiatives.keep_decision() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - array['status', 'superseded_by', 'supersedes', 'updated_at'])
    is distinct from (to_jsonb(old) - array['status', 'superseded_by', 'supersedes', 'updated_at']) then
    raise exception 'a decision is not changed; a new one supersedes it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_decision before update on initiatives.decisions
  for each row execute function initiatives.keep_decision();

-- Documents that a person approved.
create table initiatives.artifacts (
  id uuid primary key,
  initiative_id uuid not null references initiatives.initiatives on delete cascade,
  type text not null check (type in ('meeting_notes', 'decision_record', 'criteria_update')),
  title text not null,
  content text not null,
  standup_id uuid,
  approved_by uuid references access.users on delete set null,
  approved_by_name text,
  approved_at timestamptz(3) not null default now()
);
create index artifacts_by_initiative on initiatives.artifacts (initiative_id, approved_at, id);

create table initiatives.links (
  id uuid primary key,
  initiative_id uuid not null references initiatives.initiatives on delete cascade,
  kind text not null check (kind in ('deployment', 'devlog', 'transcript', 'url')),
  target text not null,
  title text not null,
  created_at timestamptz(3) not null default now(),
  unique (initiative_id, kind, target)
);

-- What agents see. The SQL proxy offers this database to the first group only; a view shows rows regardless of row
-- security, so it names that group itself.
create view records.initiatives with (security_barrier) as
  select group_id, id, slug, title, description, status, owner, created_at, updated_at
  from initiatives.initiatives
  where group_id = (select id from access.groups order by created_at, id limit 1);
