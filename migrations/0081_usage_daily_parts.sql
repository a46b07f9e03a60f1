-- Sums by day of what the other sums do not know: provider key, route, user, tag, and requests with several calls
-- (docs/decisions/033). Only requests that have the thing are in it; those without are the rest of usage.daily.
create table usage.daily_parts (
  group_id uuid not null,
  -- provider_key, route, user, tag; tagged (all requests with a tag, each once); attempts.
  kind text not null,
  day date not null,
  value text not null,
  requests bigint not null,
  errors bigint not null,
  unpriced_requests bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  -- Null while no request had a price.
  total_cost numeric,
  primary key (group_id, kind, day, value)
) with (fillfactor = 80);
create index daily_parts_by_day on usage.daily_parts (day);

-- Days that have requests from before this table: a job sums them, the newest first.
create table usage.days_to_sum (day date primary key);
insert into usage.days_to_sum select distinct day from usage.daily;

-- The tags of a request, as tagsOf (src/gateway/request/tags.ts) reads them.
create function usage.tags_of(metadata jsonb) returns setof text language sql immutable parallel safe as $$
  select tag from (
    select btrim(given.tag #>> '{}', E' \t\n\r') as tag, min(given.n) as n
    from jsonb_array_elements(
      case jsonb_typeof(metadata -> 'tags')
        when 'array' then metadata -> 'tags'
        when 'string' then to_jsonb(string_to_array(metadata ->> 'tags', ','))
        else '[]'::jsonb
      end
    ) with ordinality as given (tag, n)
    where jsonb_typeof(given.tag) = 'string'
    group by 1
  ) as tags
  where tag <> '' and char_length(tag) <= 64
  order by n limit 10
$$;

-- The statement that adds rows of the log to the sums: those of a query, each with a sign. In the order of the key, so
-- that two writers never wait for each other in a circle.
create function usage.adding_parts(source text) returns text language sql immutable as $$
  select format('
    with given as (
      select group_id, (started_at at time zone ''UTC'')::date as day, provider_key_id, route, user_label, attempt_count,
        metadata, sign, case when status_code >= 400 then sign else 0 end as errors,
        case when input_cost is null then sign else 0 end as unpriced, sign * prompt_tokens as prompt_tokens,
        sign * completion_tokens as completion_tokens,
        sign * coalesce(input_cost + output_cost, input_cost, output_cost) as cost
      from (%s) as source
    ), parts as (
      select ''provider_key'' as kind, provider_key_id::text as value, given.* from given
      where provider_key_id is not null
      union all select ''route'', route, given.* from given where route is not null
      union all select ''user'', user_label, given.* from given where user_label <> ''''
      union all select ''attempts'', ''several'', given.* from given where attempt_count > 1
      union all select ''tagged'', '''', given.* from given
      where metadata ? ''tags'' and exists (select from usage.tags_of(metadata))
      union all select ''tag'', tag, given.* from given cross join lateral usage.tags_of(metadata) as tag
      where metadata ? ''tags''
    )
    insert into usage.daily_parts as sums
    select group_id, kind, day, value, sum(sign), sum(errors), sum(unpriced), sum(prompt_tokens)::bigint,
      sum(completion_tokens)::bigint, sum(cost)
    from parts group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (group_id, kind, day, value) do update set
      requests = sums.requests + excluded.requests,
      errors = sums.errors + excluded.errors,
      unpriced_requests = sums.unpriced_requests + excluded.unpriced_requests,
      prompt_tokens = sums.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = sums.completion_tokens + excluded.completion_tokens,
      total_cost = coalesce(sums.total_cost + excluded.total_cost, sums.total_cost, excluded.total_cost)
  ', source)
$$;

-- Triggers keep the sums, so that whatever writes rows or corrects their costs, also a release that does not know these
-- sums, changes them in the same transaction.
create function usage.rows_added() returns trigger language plpgsql as $$
begin
  execute usage.adding_parts('select *, 1 as sign from written');
  return null;
end $$;

create function usage.rows_changed() returns trigger language plpgsql as $$
begin
  execute usage.adding_parts('select *, 1 as sign from written union all select *, -1 from replaced');
  return null;
end $$;

create trigger rows_added after insert on usage.usage_logs referencing new table as written
  for each statement execute function usage.rows_added();
create trigger rows_changed after update on usage.usage_logs referencing new table as written old table as replaced
  for each statement execute function usage.rows_changed();

-- Sums a day again from its rows. Writers wait meanwhile: each adds its own rows either before or after it.
create function usage.sum_day(wanted date, low uuid, high uuid) returns void language plpgsql as $$
begin
  lock table usage.daily_parts in share row exclusive mode;
  delete from usage.daily_parts where day = wanted;
  execute usage.adding_parts('select *, 1 as sign from usage.usage_logs where id >= $1 and id < $2') using low, high;
  delete from usage.days_to_sum where day = wanted;
end $$;
