create schema console;

-- The sequence of the newest event. A writer locks this row first and holds it until its commit, so the order of
-- sequences is the order of commits: a reader that has seen one has seen all before it. The row is made by the first
-- writer.
create table console.head (
  single boolean primary key default true check (single),
  sequence bigint not null
) with (fillfactor = 10);

-- What a search looks in: the title counts more than the message. Type, source and service are in it as marked words,
-- which no text contains, so that one index also finds the rare event of a filter.
create function console.words(type text, source text, service text, title text, message text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('english', title), 'A') || to_tsvector('english', message)
    || array_to_tsvector(array_remove(array[
         chr(2) || 'type ' || type, chr(2) || 'source ' || source, chr(2) || 'service ' || service], null))
$$;

-- The id is a uuid ordered by the time of the event: it is the order of lists and the key by which partitions are cut,
-- so that retention drops tables instead of deleting rows. The time of the event is the time in its id.
create table console.events (
  id uuid not null,
  group_id uuid not null,
  sequence bigint not null,
  -- From 0, trace, to 5, critical.
  severity smallint not null check (severity between 0 and 5),
  type text not null,
  source text not null,
  service text,
  title text not null,
  message text not null,
  metadata jsonb not null,
  words tsvector not null generated always as (console.words(type, source, service, title, message)) stored,
  primary key (group_id, id)
) partition by range (id);

-- The order of the stream.
create index events_in_sequence on console.events (group_id, sequence);
create index events_by_words on console.events using gin (words);
-- Errors are looked for most and are few.
create index events_of_errors on console.events (group_id, id) where severity >= 4;

-- Which events a producer has sent under ids of its own, so that one sent again is stored once. The key is a hash of
-- group, source and id.
create table console.sent_ids (
  key bytea primary key,
  event_id uuid not null
);

-- Counts, kept in the transaction that inserts the events, so that they always match.
create table console.minutes (
  group_id uuid not null,
  minute timestamptz not null,
  type text not null,
  severity smallint not null,
  source text not null,
  service text,
  events bigint not null,
  unique nulls not distinct (group_id, minute, type, severity, source, service)
) with (fillfactor = 80);
create index minutes_by_minute on console.minutes (minute);

create table console.hours (
  group_id uuid not null,
  hour timestamptz not null,
  type text not null,
  severity smallint not null,
  source text not null,
  service text,
  events bigint not null,
  unique nulls not distinct (group_id, hour, type, severity, source, service)
) with (fillfactor = 80);
create index hours_by_hour on console.hours (hour);

-- Stores events in one statement, so that no process can stop while it holds up the other writers. Each column comes as
-- an array, which is cheaper to read than rows; keys is null when no event has one. An event that was stored before is
-- not stored again: its place in the arrays and the id of the stored one are returned. Events that were stored before
-- by their id are looked for only when asked, because only a call whose outcome was not known sends them again;
-- otherwise such a call fails on the primary key.
create function console.store(ids uuid[], keys bytea[], group_ids uuid[], minutes integer[], severities smallint[],
  types text[], sources text[], services text[], titles text[], messages text[], details jsonb[], sender text,
  is_repeated boolean, out sequence_before bigint, out known_places bigint[], out known_ids uuid[])
language plpgsql as $$
#variable_conflict use_column
declare
  stored bigint;
begin
  select sequence into sequence_before from console.head for update;
  if not found then
    insert into console.head (sequence) values (0) on conflict do nothing;
    select sequence into sequence_before from console.head for update;
  end if;

  if keys is not null then
    insert into console.sent_ids (key, event_id)
    select key, id from unnest(keys, ids) as given (key, id) where key is not null
    on conflict do nothing;

    select array_agg(place), array_agg(event_id) into known_places, known_ids
    from unnest(keys, ids) with ordinality as given (key, id, place)
    join console.sent_ids using (key) where event_id <> id;
  end if;

  if is_repeated then
    select known_places || array_agg(place), known_ids || array_agg(id) into known_places, known_ids
    from unnest(group_ids, ids) with ordinality as given (group_id, id, place)
    join console.events using (group_id, id);
  end if;

  insert into console.events (id, group_id, sequence, severity, type, source, service, title, message, metadata)
  select id, group_id, sequence_before + row_number() over (), severity, type, source, service, title, message, detail
  from unnest(ids, group_ids, severities, types, sources, services, titles, messages, details) with ordinality
    as given (id, group_id, severity, type, source, service, title, message, detail, place)
  where known_places is null or place <> all (known_places);
  get diagnostics stored = row_count;
  if stored = 0 then
    return;
  end if;

  with counted as materialized (
    select group_id, minute, type, severity, source, service, count(*) as events
    from unnest(group_ids, minutes, types, severities, sources, services) with ordinality
      as given (group_id, minute, type, severity, source, service, place)
    where known_places is null or place <> all (known_places)
    group by 1, 2, 3, 4, 5, 6
  ), by_minute as (
    insert into console.minutes as sums
    select group_id, to_timestamp(minute * 60.0), type, severity, source, service, events from counted
    on conflict (group_id, minute, type, severity, source, service)
      do update set events = sums.events + excluded.events
  )
  insert into console.hours as sums
  select group_id, to_timestamp(minute / 60 * 3600.0), type, severity, source, service, sum(events) from counted
  group by 1, 2, 3, 4, 5, 6
  on conflict (group_id, hour, type, severity, source, service)
    do update set events = sums.events + excluded.events;

  update console.head set sequence = sequence_before + stored;
  perform pg_notify('console_events', sender || ' ' || (sequence_before + stored));
end $$;

create table console.views (
  id uuid primary key,
  group_id uuid not null,
  name text not null,
  -- What the page's address says behind the question mark.
  query text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  unique (group_id, name)
);

-- Pages from which browsers report errors. The id is public: it is in the page.
create table console.reporters (
  public_id text primary key,
  group_id uuid not null unique,
  -- Empty: any.
  origins text[] not null,
  created_at timestamptz not null default now()
);
