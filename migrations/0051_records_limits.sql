-- Agents write records by SQL too. The API's limits of size and nesting hold here as well, so that no row stalls the
-- lists and the search that read it.

-- What existing rows lose to these limits is kept here, as it was.
create table records.shortened (
  id bigint generated always as identity primary key,
  group_id uuid not null references access.groups on delete cascade,
  table_name text not null,
  record_id uuid not null,
  record jsonb not null,
  shortened_at timestamptz(3) not null default now()
);

-- Rows that these constraints never looked at could not be shortened; they come back below.
alter table records.services drop constraint services_times;
alter table records.maintenance_windows drop constraint maintenance_windows_times;
alter table records.deployments drop constraint deployments_times;
alter table records.incidents drop constraint incidents_times;
alter table records.tickets drop constraint tickets_times;
alter table records.devlogs drop constraint devlogs_shown;
alter table records.skills drop constraint skills_shown;
alter table records.learnings drop constraint learnings_shown;

do $$
declare
  field record;
  fits text;
  shortened text;
begin
  for field in select * from (values
    ('services', 'title', 'text', 100), ('services', 'description', 'text', 2000), ('services', 'url', 'link', 2000),
    ('services', 'last_error', 'text', 1000),
    ('maintenance_windows', 'note', 'text', 2000),
    ('deployments', 'service', 'text', 100), ('deployments', 'environment', 'text', 100),
    ('deployments', 'version', 'text', 200), ('deployments', 'commit', 'text', 200),
    ('deployments', 'url', 'link', 2000), ('deployments', 'deployed_by', 'text', 200),
    ('deployments', 'source', 'text', 40), ('deployments', 'external_id', 'text', 500),
    ('incidents', 'cause', 'text', 1000), ('incidents', 'note', 'text', 10000), ('incidents', 'source', 'text', 40),
    ('incidents', 'external_id', 'text', 500),
    ('tickets', 'title', 'text', 500), ('tickets', 'description', 'text', 100000), ('tickets', 'priority', 'text', 40),
    ('tickets', 'assignee', 'text', 200), ('tickets', 'url', 'link', 2000), ('tickets', 'source', 'text', 40),
    ('tickets', 'external_id', 'text', 500),
    ('devlogs', 'service_id', 'text', 100), ('devlogs', 'service', 'text', 100), ('devlogs', 'log_type', 'text', 100),
    ('devlogs', 'title', 'text', 500), ('devlogs', 'content', 'text', 100000), ('devlogs', 'tags', 'tags', 50),
    ('devlogs', 'metadata', 'json', 131072), ('devlogs', 'author', 'text', 200),
    ('skills', 'description', 'text', 2000), ('skills', 'content', 'text', 100000), ('skills', 'tags', 'tags', 50),
    ('skills', 'metadata', 'json', 131072), ('skills', 'author', 'text', 200),
    ('learnings', 'service_id', 'text', 100), ('learnings', 'service', 'text', 100),
    ('learnings', 'category', 'text', 100), ('learnings', 'title', 'text', 500),
    ('learnings', 'content', 'text', 100000), ('learnings', 'tags', 'tags', 50),
    ('learnings', 'metadata', 'json', 131072), ('learnings', 'author', 'text', 200)
  ) as fields (of_table, name, kind, maximum) loop
    case field.kind
      when 'text' then
        fits := format('char_length(%1$I) <= %2$s', field.name, field.maximum);
        shortened := format('left(%1$I, %2$s)', field.name, field.maximum);
      when 'link' then
        -- Browsers run the addresses of other schemes, such as javascript:.
        fits := format('char_length(%1$I) <= %2$s and %1$I ~* ''^https?:''', field.name, field.maximum);
        shortened := 'null';
      when 'tags' then
        fits := format('cardinality(%1$I) <= %2$s and char_length(array_to_string(%1$I, '''')) <= %2$s * 100
          and array_to_string(%1$I, E''\n'') !~ ''[^\n]{101}''', field.name, field.maximum);
        shortened := format('array(select left(tag, 100) from unnest(%1$I) with ordinality as tags (tag, n)
          where n <= %2$s and tag is not null order by n)', field.name, field.maximum);
      else
        -- The API takes 64 KiB of JSON. PostgreSQL writes it with spaces, and large numbers with all their digits. A
        -- body has at most 128 levels, and the first is the record itself.
        fits := format('octet_length(%1$I::text) <= %2$s and not jsonb_path_exists(%1$I, ''strict $.**{128}'')',
          field.name, field.maximum);
        shortened := $json$'{}'$json$;
    end case;
    execute format('insert into records.shortened (group_id, table_name, record_id, record)
      select group_id, %1$L, id, to_jsonb(r) from records.%1$I r where not (%2$s)', field.of_table, fits);
    execute format('update records.%1$I set %2$I = %3$s where not (%4$s)',
      field.of_table, field.name, shortened, fits);
    execute format('alter table records.%1$I add constraint %2$I check (%3$s) not valid',
      field.of_table, field.of_table || '_' || field.name || '_limit', fits);
  end loop;
end $$;

-- A service that lost its address is not checked any more.
update records.services set next_check_at = null, state = 'unknown' where url is null and next_check_at is not null;

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
