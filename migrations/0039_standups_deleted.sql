-- Readers of a stand-up that is deleted, with its initiative or its group, hear of it at once.
create function standups.notify_deleted() returns trigger language plpgsql as $$
begin
  perform pg_notify('standup_events', old.id::text);
  return null;
end $$;
create trigger notify_deleted after delete on standups.sessions
  for each row execute function standups.notify_deleted();
