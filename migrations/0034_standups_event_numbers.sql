-- The row of a stand-up numbers its events, as the row of a run does. A stand-up begins with the milliseconds of its
-- start, so its numbers are above those of every earlier one: a client that resumes with the number of an event of an
-- earlier stand-up gets all of this one.
alter table standups.sessions add column last_seq bigint;
update standups.sessions s
  set last_seq = coalesce((select max(e.id) from standups.events e where e.session_id = s.id), 0);
alter table standups.sessions
  alter column last_seq set default (extract(epoch from clock_timestamp()) * 1000)::bigint,
  alter column last_seq set not null;

alter table standups.events drop constraint events_pkey;
alter table standups.events alter column id drop identity;
alter table standups.events rename column id to seq;
alter table standups.events rename column created_at to at;
alter table standups.events add primary key (session_id, seq);
drop index standups.events_by_session;

create or replace function standups.notify_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('standup_events', new.session_id::text);
  return null;
end $$;
