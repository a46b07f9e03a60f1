-- Agents write records by SQL too. What the API refuses, because it could not show it or because it would keep the
-- search of every group from going on, is refused here as well. Rows that exist are not looked at.

-- Times that JavaScript has a date for and that are written with four digits of a year; infinity is none.
alter table records.services add constraint services_times check (
  least(state_since, next_check_at, last_checked_at, created_at, updated_at) >= '0001-01-01 00:00Z'::timestamptz
  and greatest(state_since, next_check_at, last_checked_at, created_at, updated_at) < '10000-01-01 00:00Z'::timestamptz
) not valid;
alter table records.maintenance_windows add constraint maintenance_windows_times check (
  least(starts_at, ends_at, created_at, updated_at) >= '0001-01-01 00:00Z'::timestamptz
  and greatest(starts_at, ends_at, created_at, updated_at) < '10000-01-01 00:00Z'::timestamptz
) not valid;
alter table records.deployments add constraint deployments_times check (
  least(started_at, finished_at, committed_at, status_at, created_at, updated_at) >= '0001-01-01 00:00Z'::timestamptz
  and greatest(started_at, finished_at, committed_at, status_at, created_at, updated_at)
    < '10000-01-01 00:00Z'::timestamptz
) not valid;
alter table records.incidents add constraint incidents_times check (
  least(opened_at, closed_at, created_at, updated_at) >= '0001-01-01 00:00Z'::timestamptz
  and greatest(opened_at, closed_at, created_at, updated_at) < '10000-01-01 00:00Z'::timestamptz
) not valid;
alter table records.tickets add constraint tickets_times check (
  least(started_at, completed_at, cancelled_at, last_activity_at, status_at, created_at, updated_at)
    >= '0001-01-01 00:00Z'::timestamptz
  and greatest(started_at, completed_at, cancelled_at, last_activity_at, status_at, created_at, updated_at)
    < '10000-01-01 00:00Z'::timestamptz
) not valid;

alter table records.devlogs add constraint devlogs_shown check (
  least(created_at, updated_at) >= '0001-01-01 00:00Z'::timestamptz
  and greatest(created_at, updated_at) < '10000-01-01 00:00Z'::timestamptz
  and jsonb_typeof(metadata) = 'object'
  and coalesce(array_ndims(tags), 1) = 1 and array_position(tags, null) is null
) not valid;
alter table records.skills add constraint skills_shown check (
  least(created_at, updated_at) >= '0001-01-01 00:00Z'::timestamptz
  and greatest(created_at, updated_at) < '10000-01-01 00:00Z'::timestamptz
  and jsonb_typeof(metadata) = 'object'
  and coalesce(array_ndims(tags), 1) = 1 and array_position(tags, null) is null
) not valid;
alter table records.learnings add constraint learnings_shown check (
  least(created_at, updated_at) >= '0001-01-01 00:00Z'::timestamptz
  and greatest(created_at, updated_at) < '10000-01-01 00:00Z'::timestamptz
  and jsonb_typeof(metadata) = 'object'
  and coalesce(array_ndims(tags), 1) = 1 and array_position(tags, null) is null
) not valid;

-- Foreign keys are checked without row security: nobody may put the service of another group into maintenance, or
-- report an incident of it.
alter table records.services add constraint services_of_group unique (id, group_id);
alter table records.maintenance_windows add constraint maintenance_windows_service_of_group
  foreign key (service_id, group_id) references records.services (id, group_id) on delete cascade not valid;
alter table records.incidents add constraint incidents_service_of_group
  foreign key (service_id, group_id) references records.services (id, group_id) on delete cascade not valid;

-- Health checks reach private networks only where an admin says so: not by a statement of an agent.
create function records.refuse_private() returns trigger language plpgsql as $$
begin
  if not pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), 'member') then
    raise exception 'allow_private is set by an admin, with the API' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger refuse_private_new before insert on records.services for each row
  when (new.allow_private) execute function records.refuse_private();
create trigger refuse_private_changed before update on records.services for each row
  when (new.allow_private and (not old.allow_private or new.url is distinct from old.url))
  execute function records.refuse_private();
