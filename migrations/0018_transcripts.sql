create schema transcripts;

-- A short number for each group, because millions of messages carry it.
create table transcripts.groups (
  no integer generated always as identity primary key,
  group_id uuid not null unique references access.groups on delete cascade
);

-- A file, or a database, of an assistant on a machine.
create table transcripts.sources (
  no bigint generated always as identity primary key,
  group_no integer not null references transcripts.groups on delete cascade,
  -- A hash of machine, assistant, root and path, which together may be too long for an index.
  name_hash bytea not null,
  machine text not null,
  assistant text not null,
  root text not null,
  path text not null,
  -- Where the archive stands with the file.
  generation integer not null,
  position bigint not null,
  identity jsonb,
  cursor jsonb,
  tail_hash text,
  born_at timestamptz,
  -- How many lines are stored, and to how many of them the parser has come. They differ only while sessions are
  -- derived again.
  lines bigint not null default 0,
  derived bigint not null default 0,
  -- The generation that the parser is in, its state behind the last derived line, and the order of the first line.
  derived_generation integer not null default 0,
  parser_version integer not null,
  parser_state text,
  order_base double precision not null default 0,
  skipped_bytes bigint not null default 0,
  missing_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (group_no, name_hash)
) with (fillfactor = 70);
create index sources_by_version on transcripts.sources (assistant, parser_version);
create index sources_to_derive on transcripts.sources (no) where derived < lines;

-- The lines of a source as they came, masked and without images, one after the other with line ends, compressed.
create table transcripts.chunks (
  source_no bigint not null references transcripts.sources on delete cascade,
  first_line bigint not null,
  generation integer not null,
  -- The number of the first line within its generation.
  place bigint not null,
  lines integer not null,
  -- Uncompressed.
  bytes integer not null,
  data bytea not null,
  primary key (source_no, first_line)
);
alter table transcripts.chunks alter column data set storage external;

create table transcripts.sessions (
  no bigint generated always as identity primary key,
  id uuid not null unique,
  group_no integer not null references transcripts.groups on delete cascade,
  assistant text not null,
  external_id text not null,
  machine text not null,
  project text,
  git_branch text,
  version text,
  title text,
  title_rank smallint not null default -1,
  first_prompt text,
  first_prompt_order double precision,
  last_answer text,
  last_answer_order double precision,
  summary text,
  -- Whether the summary was written by a model; one made from the session itself does not replace it.
  has_model_summary boolean not null default false,
  message_count integer not null default 0,
  tool_call_count integer not null default 0,
  prompt_count integer not null default 0,
  unknown_records integer not null default 0,
  started_at timestamptz,
  ended_at timestamptz,
  -- Each message with the five minutes after it. The active time is the length of these without the last five
  -- minutes of each range, whatever the order in which messages arrive.
  active tstzmultirange not null default '{}',
  duration_seconds double precision not null default 0,
  input_tokens bigint not null default 0,
  cached_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- Responses by model.
  models jsonb not null default '{}',
  files_edited text[] not null default '{}',
  links jsonb not null default '[]',
  -- External ids, so that it does not matter which of two sessions arrives first.
  parent_key text,
  parent_call_id text,
  fork_key text,
  -- No pointer names the original: it owns responses that this session repeats.
  is_fork_inferred boolean not null default false,
  -- In the list: it has messages and is no subagent of a session that is stored.
  is_listed boolean not null default false,
  born_at timestamptz,
  source_missing boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  words tsvector generated always as (
    setweight(to_tsvector('english', coalesce(left(title, 1000), '')), 'A') ||
    to_tsvector('english', coalesce(left(first_prompt, 2000), '')) ||
    to_tsvector('english', coalesce(left(summary, 8000), ''))
  ) stored,
  unique (group_no, assistant, external_id)
) with (fillfactor = 70);
create index sessions_in_order on transcripts.sessions (group_no, coalesce(ended_at, created_at) desc, no desc);
create index sessions_by_parent on transcripts.sessions (group_no, assistant, parent_key) where parent_key is not null;
create index sessions_by_fork on transcripts.sessions (group_no, assistant, fork_key) where fork_key is not null;
create index sessions_by_key on transcripts.sessions (group_no, external_id);
create index sessions_by_change on transcripts.sessions (updated_at, no);
create index sessions_by_words on transcripts.sessions using gin (words);

create table transcripts.session_sources (
  session_no bigint not null references transcripts.sessions on delete cascade,
  source_no bigint not null references transcripts.sources on delete cascade,
  primary key (session_no, source_no)
);
create index session_sources_by_source on transcripts.session_sources (source_no);

-- One block of a conversation. No foreign key: the check would be a tenth of an import.
create table transcripts.messages (
  session_no bigint not null,
  -- A hash of the key that the parser gave; the id of the message is made from it and the id of the session.
  key uuid not null,
  -- The order within the session; infinity while no line has said it.
  place double precision not null,
  created_at timestamptz,
  parent_key uuid,
  version smallint not null,
  role smallint not null,
  kind smallint not null,
  -- 1 is a person, 2 injected.
  origin smallint,
  is_error boolean,
  is_sidechain boolean,
  is_partial boolean not null,
  is_cut boolean not null,
  model text,
  tool_name text,
  call_id text,
  image bytea,
  image_mime text,
  tool_input text,
  content text,
  primary key (session_no, key)
);
create index messages_in_order on transcripts.messages (session_no, place, key);
create index messages_by_image on transcripts.messages (session_no, image) where image is not null;

-- The words of messages. A part indexes up to some thousand messages of one group and one assistant, the newest first;
-- small parts are merged. Messages and parts refer to each other by no key: what a part says of a message that has
-- changed or is gone is found out when its text is read.
create table transcripts.index_parts (
  no integer generated always as identity primary key,
  group_no integer not null references transcripts.groups on delete cascade,
  assistant smallint not null,
  -- Of the parser that made the messages.
  version smallint not null,
  -- How many bits of a term choose its bucket.
  bits smallint not null,
  messages integer not null,
  newest timestamptz not null,
  oldest timestamptz not null,
  sessions bigint[] not null,
  -- For each message the place of its session in the array, its key and its time.
  entries bytea not null
);
alter table transcripts.index_parts alter column entries set storage external;
create index index_parts_in_order on transcripts.index_parts (group_no, newest desc, no desc);
create index index_parts_by_session on transcripts.index_parts using gin (sessions);
create index index_parts_small on transcripts.index_parts (group_no, assistant, version) where messages < 512;

-- For each term, which is a hash of a word, the messages of the part that have it.
create table transcripts.index_lists (
  part_no integer not null references transcripts.index_parts on delete cascade,
  bucket integer not null,
  data bytea not null,
  primary key (part_no, bucket)
);
alter table transcripts.index_lists alter column data set storage external;

-- Tokens of each response of a provider, counted once however many sessions repeat it.
create table transcripts.usage (
  group_no integer not null references transcripts.groups on delete cascade,
  assistant smallint not null,
  key uuid not null,
  -- Of the parser that read it.
  version smallint not null,
  session_no bigint not null,
  model text,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  created_at timestamptz,
  primary key (group_no, assistant, key)
);
create index usage_by_session on transcripts.usage (session_no);

create table transcripts.unknown_records (
  session_no bigint not null references transcripts.sessions on delete cascade,
  hash uuid not null,
  reason text not null,
  line text not null,
  is_cut boolean not null,
  created_at timestamptz not null default now(),
  primary key (session_no, hash)
);

create table transcripts.blobs (
  group_no integer not null references transcripts.groups on delete cascade,
  sha256 bytea not null,
  mime text,
  data bytea not null,
  primary key (group_no, sha256)
);
alter table transcripts.blobs alter column data set storage external;

create table transcripts.source_blobs (
  source_no bigint not null references transcripts.sources on delete cascade,
  sha256 bytea not null,
  primary key (source_no, sha256)
);
create index source_blobs_by_blob on transcripts.source_blobs (sha256);

-- Sessions that were deleted on request: a watcher that still sees their files does not bring them back.
create table transcripts.deleted_sessions (
  group_no integer not null references transcripts.groups on delete cascade,
  assistant text not null,
  external_id text not null,
  deleted_at timestamptz not null default now(),
  primary key (group_no, assistant, external_id)
);

create table transcripts.watchers (
  group_no integer not null references transcripts.groups on delete cascade,
  machine text not null,
  report jsonb not null,
  seen_at timestamptz not null default now(),
  primary key (group_no, machine)
);

-- Messages and usage of sessions that no longer exist, whoever deleted them; a job deletes these in portions.
create table transcripts.erased_sessions (session_no bigint primary key);

create function transcripts.remember_erased() returns trigger language plpgsql as $$
begin
  insert into transcripts.erased_sessions select no from erased on conflict do nothing;
  return null;
end $$;
create trigger sessions_erased after delete on transcripts.sessions
  referencing old table as erased for each statement execute function transcripts.remember_erased();

create function transcripts.active_seconds(active tstzmultirange) returns double precision
language sql immutable parallel safe as $$
  select coalesce(sum(extract(epoch from upper(part) - lower(part)) - 300), 0)::double precision
  from unnest(active) as part
$$;
