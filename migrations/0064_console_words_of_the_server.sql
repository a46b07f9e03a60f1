-- The words of an event come with it: the server decides what a word is, whatever the locale of the database, and the
-- writer that holds up the others has less to do. Events of before keep the words that they have.
alter table console.events alter column words drop expression;
drop function console.words(text, text, text, text, text);
drop function console.store(uuid[], bytea[], uuid[], integer[], smallint[], text[], text[], text[], text[], text[],
  jsonb[], text, boolean);

-- Stores events in one statement, so that no process can stop while it holds up the other writers. Each column comes as
-- an array, which is cheaper to read than rows; keys is null when no event has one. An event that was stored before is
-- not stored again: its place in the arrays and the id of the stored one are returned. Events that were stored before
-- by their id are looked for only when asked, because only a call whose outcome was not known sends them again;
-- otherwise such a call fails on the primary key.
create function console.store(ids uuid[], keys bytea[], group_ids uuid[], minutes integer[], severities smallint[],
  types text[], sources text[], services text[], titles text[], messages text[], details jsonb[],
  word_vectors tsvector[], sender text, is_repeated boolean, out sequence_before bigint, out known_places bigint[], out known_ids uuid[])
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

  update console.head set sequence = sequence_before + stored;
  perform pg_notify('console_events', sender || ' ' || (sequence_before + stored));
end $$;
