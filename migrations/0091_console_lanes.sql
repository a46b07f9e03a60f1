-- A lane for each group: the sequence of its newest event. A writer locks the rows of its groups and holds them until its
-- commit, so within a group the order of sequences is the order of commits, and writers of other groups do not wait. The
-- row of console.head stays as the number below which no lane begins: sequences from when all groups had one lane are
-- smaller, so that a reader's position from then still means the same. A lane's row is made by its first writer.
create table console.heads (
  group_id uuid primary key,
  sequence bigint not null
) with (fillfactor = 10);

-- What a process does that the release before does not know.
alter table kernel.replicas add column abilities text[] not null default '{}';

-- A process of the release before follows one sequence over all groups. While one runs, all writers share one lane.
create function console.has_one_lane() returns boolean language sql stable as $$
  select exists (select from kernel.replicas
    where not abilities @> '{console lanes}' and seen_at > now() - interval '60 seconds')
$$;

-- Held shared by those who write to lanes, and alone by those for whom all lanes are one.
create function console.lock_of_lanes() returns bigint language sql immutable as $$
  select hashtextextended('signalbox console lanes', 0)
$$;

create function console.newest_of_all() returns bigint language sql volatile as $$
  select greatest((select max(sequence) from console.heads), (select sequence from console.head), 0)
$$;

-- When such a process starts, its readers begin at the newest event and not at that of the time before there were lanes.
create function console.join_lanes() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(console.lock_of_lanes());
  insert into console.head as head (sequence) values (console.newest_of_all())
  on conflict (single) do update set sequence = excluded.sequence;
  return null;
end $$;
create trigger join_lanes after insert on kernel.replicas for each row
  when (not new.abilities @> '{console lanes}') execute function console.join_lanes();

-- As console.store was, for many lanes. Events of a group come together; each gets the next sequence of its lane. Returns
-- for each lane the sequence before its first event.
create function console.store_in_lanes(ids uuid[], keys bytea[], group_ids uuid[], minutes integer[],
  severities smallint[], types text[], sources text[], services text[], titles text[], messages text[], details jsonb[],
  word_vectors tsvector[], sender text, is_repeated boolean,
  out lanes uuid[], out sequences_before bigint[], out known_places bigint[], out known_ids uuid[])
language plpgsql as $$
#variable_conflict use_column
declare
  has_one_lane boolean := false;
  base bigint;
  -- For each lane: how many events are stored, and what makes a sequence of an event's number in this call.
  counts bigint[];
  shifts bigint[];
  stored bigint;
begin
  begin
    perform pg_advisory_xact_lock_shared(console.lock_of_lanes());
    if console.has_one_lane() then
      raise sqlstate 'SB001';
    end if;
  exception when sqlstate 'SB001' then
    -- The end of this block has given the shared lock back: two that both held it would wait for each other.
    has_one_lane := true;
    perform pg_advisory_xact_lock(console.lock_of_lanes());
  end;

  lanes := array(select distinct group_id from unnest(group_ids) as given (group_id) order by group_id);
  insert into console.heads (group_id, sequence) select lane, 0 from unnest(lanes) as given (lane)
  on conflict do nothing;
  -- In one order, so that two writers of several groups cannot wait for each other.
  select array_agg(group_id), array_agg(sequence) into lanes, sequences_before from (
    select group_id, sequence from console.heads where group_id = any (lanes) order by group_id for update
  ) as locked;
  base := case when has_one_lane then console.newest_of_all()
    else coalesce((select sequence from console.head), 0) end;

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

  -- Events come by lane, but the lanes need not come in the order in which they were locked.
  with counted as (
    select group_id, min(place) as first,
      count(*) filter (where known_places is null or place <> all (known_places)) as events
    from unnest(group_ids) with ordinality as given (group_id, place) group by group_id
  ), placed as (
    select group_id, events, (sum(events) over (order by first) - events)::bigint as earlier from counted
  ), based as (
    select group_id, events, earlier,
      case when has_one_lane then base + earlier else greatest(before, base) end as before
    from placed join unnest(lanes, sequences_before) as lane (group_id, before) using (group_id)
  )
  select array_agg(events order by group_id), array_agg(before order by group_id),
    array_agg(before - earlier order by group_id), sum(events)
  into counts, sequences_before, shifts, stored from based;

  insert into console.events (id, group_id, sequence, severity, type, source, service, title, message, metadata, words)
  select id, group_id, shifts[array_position(lanes, group_id)] + row_number() over (),
    severity, type, source, service, title, message, detail, word_vector
  from unnest(ids, group_ids, severities, types, sources, services, titles, messages, details, word_vectors)
    with ordinality
    as given (id, group_id, severity, type, source, service, title, message, detail, word_vector, place)
  where known_places is null or place <> all (known_places);
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

  update console.heads set sequence = before + events
  from unnest(lanes, sequences_before, counts) as lane (id, before, events)
  where group_id = id and events > 0;
  perform pg_notify('console_lanes', sender || ' ' || id || ' ' || before + events)
  from unnest(lanes, sequences_before, counts) as lane (id, before, events) where events > 0;
  if has_one_lane then
    insert into console.head as head (sequence) values (base + stored)
    on conflict (single) do update set sequence = excluded.sequence;
    perform pg_notify('console_events', sender || ' ' || base + stored);
  end if;
end $$;

-- For processes of the release before: one lane for all, and the news for those who know lanes.
create or replace function console.store(ids uuid[], keys bytea[], group_ids uuid[], minutes integer[],
  severities smallint[], types text[], sources text[], services text[], titles text[], messages text[], details jsonb[],
  word_vectors tsvector[], sender text, is_repeated boolean, out sequence_before bigint, out known_places bigint[],
  out known_ids uuid[])
language plpgsql as $$
#variable_conflict use_column
declare
  stored bigint;
  told bigint;
begin
  perform pg_advisory_xact_lock(console.lock_of_lanes());
  sequence_before := console.newest_of_all();

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

  insert into console.events (id, group_id, sequence, severity, type, source, service, title, message, metadata, words)
  select id, group_id, sequence_before + row_number() over (), severity, type, source, service, title, message, detail,
    word_vector
  from unnest(ids, group_ids, severities, types, sources, services, titles, messages, details, word_vectors)
    with ordinality
    as given (id, group_id, severity, type, source, service, title, message, detail, word_vector, place)
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

  with moved as (
    insert into console.heads
    select group_id, sequence_before + max(number) from (
      select group_id, row_number() over () as number
      from unnest(group_ids) with ordinality as given (group_id, place)
      where known_places is null or place <> all (known_places)
    ) as numbered group by group_id
    on conflict (group_id) do update set sequence = excluded.sequence
    returning group_id, sequence
  )
  select count(pg_notify('console_lanes', sender || ' ' || group_id || ' ' || sequence)) from moved into told;
  insert into console.head as head (sequence) values (sequence_before + stored)
  on conflict (single) do update set sequence = excluded.sequence;
  perform pg_notify('console_events', sender || ' ' || (sequence_before + stored));
end $$;
