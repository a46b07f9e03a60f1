-- Records that agents write by SQL are found by the search and shown in the console, as those of the API are.

-- Foreign keys are checked without row security: an incident names deployments of its own group only.
alter table records.deployments add constraint deployments_of_group unique (id, group_id);
update records.incidents i set deployment_id = null
  where deployment_id is not null and not exists (
    select from records.deployments d where d.id = i.deployment_id and d.group_id = i.group_id);
alter table records.incidents add constraint incidents_deployment_of_group
  foreign key (deployment_id, group_id) references records.deployments (id, group_id)
  on delete set null (deployment_id);

-- Whether a login other than the platform's own runs the statement.
create function records.is_agent() returns boolean language sql stable
  return not pg_has_role(session_user,
    (select relowner from pg_catalog.pg_class where oid = 'records.tickets'::regclass), 'member');

-- The search reads what has changed by this time.
create function records.stamp() returns trigger language plpgsql as $$
begin
  if records.is_agent() then new.updated_at := now(); end if;
  return new;
end $$;
create trigger stamp before insert or update on records.services for each row execute function records.stamp();
create trigger stamp before insert or update on records.maintenance_windows
  for each row execute function records.stamp();
create trigger stamp before insert or update on records.deployments for each row execute function records.stamp();
create trigger stamp before insert or update on records.incidents for each row execute function records.stamp();
create trigger stamp before insert or update on records.tickets for each row execute function records.stamp();
create trigger stamp before insert or update on records.devlogs for each row execute function records.stamp();
create trigger stamp before insert or update on records.skills for each row execute function records.stamp();
create trigger stamp before insert or update on records.learnings for each row execute function records.stamp();

-- Changes by SQL whose event a process has still to emit.
create table records.unannounced (
  id bigint generated always as identity primary key,
  group_id uuid not null references access.groups on delete cascade,
  kind text not null check (kind in ('deployments', 'tickets', 'devlogs')),
  action text not null check (action in ('created', 'changed')),
  record_id uuid not null
);

-- Of one statement the first hundred records become events: more would only hide the others.
create function records.announce() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not records.is_agent() then return null; end if;
  insert into records.unannounced (group_id, kind, action, record_id)
    select group_id, tg_table_name, tg_argv[0], id from written limit 100;
  perform pg_notify('records_unannounced', '');
  return null;
end $$;
create trigger announce_new after insert on records.deployments referencing new table as written
  for each statement execute function records.announce('created');
create trigger announce_change after update on records.deployments referencing new table as written
  for each statement execute function records.announce('changed');
create trigger announce_new after insert on records.tickets referencing new table as written
  for each statement execute function records.announce('created');
create trigger announce_change after update on records.tickets referencing new table as written
  for each statement execute function records.announce('changed');
create trigger announce_new after insert on records.devlogs referencing new table as written
  for each statement execute function records.announce('created');
create trigger announce_change after update on records.devlogs referencing new table as written
  for each statement execute function records.announce('changed');
