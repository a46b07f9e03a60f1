-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/transcripts/search/part-store.ts addPart
with part as (
  insert into transcripts.index_parts (group_no, assistant, version, bits, messages, newest, oldest, sessions,
    entries)
  values ($1, $2, $3, $4, $5, to_timestamp($6), to_timestamp($7), $8, $9) returning no
)
insert into transcripts.index_lists (part_no, bucket, data)
select part.no, bucket, data from part, unnest($10::int4[], $11::bytea[]) as given (bucket, data);

-- src/transcripts/search/part-store.ts crowdedOwners
select group_no as group, assistant, version from transcripts.index_parts where messages < $1
group by 1, 2, 3 having count(*) >= $2;

-- src/transcripts/search/part-store.ts dropParts
delete from transcripts.index_parts
where no = any($1::int4[]);

-- src/transcripts/search/part-store.ts listParts
select no, bits, messages, extract(epoch from newest)::float8 as newest, sessions from transcripts.index_parts
where group_no = $1 order by newest desc, no desc limit $2;

select no, bits, messages, extract(epoch from newest)::float8 as newest, sessions from transcripts.index_parts
where group_no = $1 and (newest, no) < (to_timestamp($3),
  $4::int) and assistant = any($5::int2[]) and sessions && $6::bigint[] and newest >= date_trunc('second',
  $7::timestamptz) and oldest <= $8::timestamptz
  order by newest desc, no desc
  limit $2;

-- src/transcripts/search/part-store.ts olderParts
select no, sessions
from transcripts.index_parts
where assistant = $1
  and version < $2;

-- src/transcripts/search/part-store.ts partsOfSessions
select no, sessions, bits, messages, entries, group_no as group, assistant, version
  from transcripts.index_parts
where group_no = $1 and sessions && $2::bigint[];

-- src/transcripts/search/part-store.ts preferLookups
set transaction isolation level repeatable read;

select set_config(name, 'off', true)
from unnest(array['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan']) as name;

-- src/transcripts/search/part-store.ts readEntries
select part_no, substring(p.entries from number * 22 + 1 for 22) as entry
from unnest($1::int4[], $2::int4[]) as wanted (part_no, number)
join transcripts.index_parts p on p.no = part_no;

-- src/transcripts/search/part-store.ts readLists
select part_no, bucket, data from unnest($1::int4[], $2::int4[]) as wanted (part_no, bucket)
join transcripts.index_lists using (part_no, bucket);

-- src/transcripts/search/part-store.ts smallParts
select no, sessions, bits, messages, entries from transcripts.index_parts
where group_no = $1 and assistant = $2 and version = $3 and messages < $4 order by newest desc, no limit $5;

-- src/transcripts/search/part-store.ts withBuckets
select part_no, bucket, data
from transcripts.index_lists
where part_no = any($1::int4[]);

-- src/transcripts/search/text-store.ts findSessions
select s.no, ts_rank(s.words, asked) as rank, concat_ws(E'\n', s.title, s.summary) as text
from transcripts.sessions s, cast($10 as tsquery) as asked
where s.group_no = $1 and s.assistant = any($2::text[]) and s.machine = any($3::text[]) and s.git_branch = any($4::text[]) and exists (select
  from unnest($5::text[]) as wanted
   
      where s.project = wanted or starts_with(s.project,
      wanted || '/')) and s.models ?| $6::text[] and coalesce(s.ended_at,
      s.created_at) >= $7 and coalesce(s.started_at,
      s.created_at) < $8 and s.external_id = $9 and s.words @@ asked and s.message_count > 0
order by rank desc, s.ended_at desc nulls last limit $11;

-- src/transcripts/search/text-store.ts readTexts
select m.session_no, replace(m.key::text, '-', '') as key, m.role, m.kind, m.tool_name, m.created_at,
  left(m.content, 32768) as content,
  case when m.content is null then left(m.tool_input, 32768) end as tool_input
from unnest($1::bigint[], $2::uuid[]) as found (session_no, key)
join transcripts.messages m using (session_no, key);

-- src/transcripts/search/text-store.ts sessionNumbers
select s.no
  from transcripts.sessions s
  where s.group_no = $1 and s.assistant = any($2::text[]) and s.machine = any($3::text[]) and s.git_branch = any($4::text[]) and exists (select
  from unnest($5::text[]) as wanted
   
      where s.project = wanted or starts_with(s.project,
      wanted || '/')) and s.models ?| $6::text[] and coalesce(s.ended_at,
      s.created_at) >= $7 and coalesce(s.started_at, s.created_at) < $8 and s.external_id = $9
order by coalesce(s.ended_at, s.created_at) desc limit $10;

-- src/transcripts/store/again-store.ts countAgain
update transcripts.sessions s set message_count = m.messages, tool_call_count = m.tool_calls,
  prompt_count = m.prompts, input_tokens = u.input, cached_tokens = u.cached,
  cache_write_tokens = u.cache_write, output_tokens = u.output, models = u.models, updated_at = now()
from (
  select count(*) as messages, count(*) filter (where kind = 2) as tool_calls,
    count(*) filter (where kind = 0 and role = 0 and origin = 1) as prompts
  from transcripts.messages where session_no = $1
) m, (
  select coalesce(sum(input), 0) as input, coalesce(sum(cached), 0) as cached,
    coalesce(sum(cache_write), 0) as cache_write, coalesce(sum(output), 0) as output,
    coalesce(jsonb_object_agg(model, responses) filter (where model is not null), '{}') as models
  from (
    select model, count(*) as responses, sum(input_tokens) as input, sum(cached_tokens) as cached,
      sum(cache_write_tokens) as cache_write, sum(output_tokens) as output
    from transcripts.usage where session_no = $1 group by model
  ) by_model
) u
where s.no = $1;

-- src/transcripts/store/again-store.ts dropOlder
delete from transcripts.messages
where session_no = $1
  and version < $2;

delete from transcripts.usage
where session_no = $1
  and version < $2;

-- src/transcripts/store/again-store.ts finishedSessions
select link.session_no as no, array_agg(s.path) as paths
from transcripts.session_sources mine
join transcripts.session_sources link on link.session_no = mine.session_no
join transcripts.sources s on s.no = link.source_no
where mine.source_no = $1
group by link.session_no having bool_and(s.derived = s.lines);

-- src/transcripts/store/again-store.ts restartSources
update transcripts.sources set parser_version = $2, derived = 0, derived_generation = -1,
  parser_state = case when lines = 0 then parser_state end
where no in (select no from transcripts.sources where assistant = $1 and parser_version < $2
             order by parser_version limit 100 for update skip locked)
returning no;

select distinct session_no
from transcripts.session_sources
where source_no = any($1::bigint[]);

delete from transcripts.unknown_records
where session_no = any($1::bigint[]);

update transcripts.sessions
set unknown_records = 0
where no = any($1::bigint[]);

-- src/transcripts/store/again-store.ts saveProgress
update transcripts.sources set derived = $2, derived_generation = $3, parser_state = $4, order_base = $5
where no = $1;

-- src/transcripts/store/again-store.ts waitingSources
select no, group_no, machine, assistant, path, born_at from transcripts.sources
where derived < lines and no > $1 order by no limit $2;

-- src/transcripts/store/chunk-store.ts chunkAt
select first_line::float8 as first_line, generation, place::float8 as place, lines, bytes, data
  from transcripts.chunks
  where source_no = $1 and first_line + lines > $2
order by first_line limit 1;

-- src/transcripts/store/chunk-store.ts dropChunks
delete from transcripts.chunks
where source_no = $1;

-- src/transcripts/store/chunk-store.ts lastChunk
select first_line::float8 as first_line, generation, place::float8 as place, lines, bytes, data
from transcripts.chunks
where source_no = $1
order by first_line desc
limit 1;

-- src/transcripts/store/chunk-store.ts listChunks
select first_line::float8 as first_line
from transcripts.chunks
where source_no = $1
order by first_line;

-- src/transcripts/store/chunk-store.ts saveBlobs
insert into transcripts.blobs (group_no, sha256, mime, data)
values ($1, $2, $3, $4)
on conflict do nothing;

insert into transcripts.source_blobs (source_no, sha256)
values ($1, $2)
on conflict do nothing;

-- src/transcripts/store/chunk-store.ts saveChunk
insert into transcripts.chunks (source_no, first_line, generation, place, lines, bytes, data)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (source_no, first_line) do update
  set lines = excluded.lines, bytes = excluded.bytes, data = excluded.data;

-- src/transcripts/store/document-store.ts changedSessions
select s.no, s.id, g.group_id, s.title, left(s.first_prompt, 2000) as first_prompt, left(s.summary,
  4000) as summary,
  coalesce(s.ended_at, s.created_at) as at, s.updated_at::text as changed_at, (
    select array_agg(left(content, 500) order by place) from (
      select content, place from (
        select * from transcripts.messages where session_no = s.no order by place, key limit 5000
      ) as early
      where kind = 0 and role = 0 and origin = 1 and content is not null order by place limit 20
    ) as prompts
  ) as prompts
from transcripts.sessions s join transcripts.groups g on g.no = s.group_no
where (s.updated_at, s.no) > ($1::timestamptz, $2::bigint) and s.updated_at < $3 and s.is_listed
order by s.updated_at, s.no limit $4;

-- src/transcripts/store/document-store.ts listedIds
select id
from transcripts.sessions
where id = any($1::uuid[])
  and is_listed;

-- src/transcripts/store/erase-store.ts dropImages
delete from transcripts.source_blobs b where b.source_no = any($2::bigint[])
and b.sha256 in (select image from transcripts.messages
                 where session_no = any($1::bigint[]) and image is not null)
and not exists (
  select from transcripts.session_sources link
  join transcripts.messages m on m.session_no = link.session_no and m.image = b.sha256
  where link.source_no = b.source_no and link.session_no <> all($1::bigint[]));

-- src/transcripts/store/erase-store.ts dropUnusedBlobs
delete from transcripts.blobs b where b.group_no = $1 and not exists (
select from transcripts.source_blobs used join transcripts.sources s on s.no = used.source_no
where used.sha256 = b.sha256 and s.group_no = b.group_no);

-- src/transcripts/store/erase-store.ts emptySources
delete from transcripts.chunks
where source_no = any($1::bigint[]);

delete from transcripts.source_blobs
where source_no = any($1::bigint[]);

update transcripts.sources s set lines = 0, derived = 0, parser_state = jsonb_build_object(
  'reader', null, 'session', (
    select min(held.external_id) from transcripts.session_sources link
    join transcripts.sessions held on held.no = link.session_no where link.source_no = s.no
  ))::text
where s.no = any($1::bigint[]);

-- src/transcripts/store/erase-store.ts eraseSessions
delete from transcripts.sessions
where no = any($1::bigint[]);

delete from transcripts.usage
where session_no = any($1::bigint[]);

delete from transcripts.messages
where session_no = any($1::bigint[]);

delete from transcripts.erased_sessions
where session_no = any($1::bigint[]);

-- src/transcripts/store/erase-store.ts noteErasure
update transcripts.sources
set updated_at = now()
where no = any($1::bigint[]);

-- src/transcripts/store/erase-store.ts rememberDeleted
insert into transcripts.deleted_sessions (group_no, assistant, external_id)
select $1, $2, unnest($3::text[]) on conflict do nothing;

-- src/transcripts/store/erase-store.ts sourcesOf
select s.no, s.assistant, s.path, exists (
  select from transcripts.session_sources other
  where other.source_no = s.no and other.session_no <> all($1::bigint[])
) as is_shared
from transcripts.sources s
where s.no in (select source_no from transcripts.session_sources where session_no = any($1::bigint[]));

-- src/transcripts/store/erase-store.ts sweepErased
select session_no
from transcripts.erased_sessions
limit 1;

delete from transcripts.messages where session_no = $1
and key in (select key from transcripts.messages where session_no = $1 limit 20000);

delete from transcripts.usage
where session_no = $1;

delete from transcripts.erased_sessions
where session_no = $1;

-- src/transcripts/store/erase-store.ts withSubagents
with recursive below as (
  select no, external_id from transcripts.sessions where no = $1
  union
  select s.no, s.external_id from below join transcripts.sessions s
    on s.group_no = $2 and s.assistant = $3 and s.parent_key = below.external_id
)
select no, external_id from below;

-- src/transcripts/store/message-store.ts storeMessages
with done as (
    insert into transcripts.messages as kept (session_no, version, key, place, created_at, parent_key, role,
      kind, origin, is_error, is_sidechain, is_partial, is_cut,
model, tool_name, call_id, image, image_mime, tool_input, content)
    select ($2::bigint[])[session], $1, key, coalesce(place, 'infinity'), created_at, parent_key, role, kind,
      nullif(origin, -1), nullif(is_error, -1) = 1, nullif(is_sidechain, -1) = 1, is_partial = 1, is_cut = 1,
      model, tool_name, call_id, image, image_mime, tool_input, content
   
      from unnest($3::int4[], $4::uuid[], $5::float8[], $6::timestamptz[], $7::uuid[], $8::int2[], $9::int2[],
      $10::int2[], $11::int2[], $12::int2[], $13::int2[], $14::int2[], $15::text[], $16::text[], $17::text[],
      $18::bytea[], $19::text[], $20::text[], $21::text[]) as given (session, key, place, created_at,
      parent_key, role, kind, origin, is_error, is_sidechain, is_partial, is_cut,
model, tool_name, call_id, image, image_mime, tool_input, content)
    where ($2::bigint[])[session] is not null
    on conflict (session_no, key) do update set
     place = case when kept.version < excluded.version or kept.place = 'infinity' then excluded.place else kept.place end,
     created_at = case when kept.version < excluded.version then excluded.created_at else coalesce(kept.created_at,
       excluded.created_at) end,
     version = greatest(kept.version, excluded.version),
     role = excluded.role,
     kind = excluded.kind,
     parent_key = case when kept.version < excluded.version then excluded.parent_key else coalesce(excluded.parent_key,
       kept.parent_key) end,
     origin = case when kept.version < excluded.version then excluded.origin else coalesce(excluded.origin,
       kept.origin) end,
     is_error = case when kept.version < excluded.version then excluded.is_error else coalesce(excluded.is_error,
       kept.is_error) end,
     is_sidechain = case when kept.version < excluded.version then excluded.is_sidechain else coalesce(excluded.is_sidechain,
       kept.is_sidechain) end,
     model = case when kept.version < excluded.version then excluded.model else coalesce(excluded.model,
       kept.model) end,
     tool_name = case when kept.version < excluded.version then excluded.tool_name else coalesce(excluded.tool_name,
       kept.tool_name) end,
     call_id = case when kept.version < excluded.version then excluded.call_id else coalesce(excluded.call_id,
       kept.call_id) end,
     image = case when kept.version < excluded.version then excluded.image else coalesce(excluded.image,
       kept.image) end,
     image_mime = case when kept.version < excluded.version then excluded.image_mime else coalesce(excluded.image_mime,
       kept.image_mime) end,
     tool_input = case when kept.version < excluded.version then excluded.tool_input else coalesce(excluded.tool_input,
       kept.tool_input) end,
     is_cut = case when not kept.version < excluded.version and (excluded.content is null or kept.content is not null and not kept.is_partial and excluded.is_partial) and excluded.tool_input is null then kept.is_cut
   else excluded.is_cut end,
     is_partial = case when not kept.version < excluded.version and (excluded.content is null or kept.content is not null and not kept.is_partial and excluded.is_partial) then kept.is_partial else excluded.is_partial end,
     content = case when not kept.version < excluded.version and (excluded.content is null or kept.content is not null and not kept.is_partial and excluded.is_partial) then kept.content else excluded.content end
    where kept.version < excluded.version or kept.place = 'infinity' or kept.created_at is null
      or row(kept.role, kept.kind, kept.parent_key, kept.origin, kept.is_error, kept.is_sidechain,
        kept.is_partial, kept.model, kept.tool_name, kept.call_id, kept.image,
kept.tool_input, kept.content) is distinct from row(excluded.role, excluded.kind, excluded.parent_key,
  excluded.origin, excluded.is_error, excluded.is_sidechain, excluded.is_partial, excluded.model,
  excluded.tool_name, excluded.call_id, excluded.image,
excluded.tool_input, excluded.content)
    returning session_no, kind, role, origin, xmax = 0 as is_new
  )
  select session_no, count(*)::int as messages, count(*) filter (where kind = 2)::int as tool_calls,
    count(*) filter (where kind = 0 and role = 0 and origin = 1)::int as prompts
  from done where is_new group by session_no;

-- src/transcripts/store/page-store.ts findImage
select coalesce(b.mime, m.image_mime) as mime, b.data from transcripts.messages m
join transcripts.blobs b on b.group_no = $2 and b.sha256 = m.image
where m.session_no = $1 and m.image = $3 limit 1;

-- src/transcripts/store/page-store.ts placeOf
select place, replace(key::text, '-', '') as key
from transcripts.messages
where session_no = $1
  and key = $2::uuid;

-- src/transcripts/store/page-store.ts readMessages
with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1
  order by m.place asc, m.key asc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place asc, key asc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1 and m.role = 0 and m.origin = 1
  order by m.place asc, m.key asc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place asc, key asc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.kind in (2, 3)
or m.kind = 4 and m.role = 2)
   order by m.place asc, m.key asc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place asc, key asc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.is_error or m.call_id in (
select e.call_id from transcripts.messages e where e.session_no = $1 and e.is_error))
   order by m.place asc, m.key asc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place asc, key asc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1
  order by m.place desc, m.key desc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place desc, key desc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1 and m.role = 0 and m.origin = 1
  order by m.place desc, m.key desc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place desc, key desc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.kind in (2, 3)
or m.kind = 4 and m.role = 2)
   order by m.place desc, m.key desc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place desc, key desc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.is_error or m.call_id in (
select e.call_id from transcripts.messages e where e.session_no = $1 and e.is_error))
   order by m.place desc, m.key desc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place desc, key desc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1  and (m.place, m.key) > ($5::float8, $6::uuid)
  order by m.place asc, m.key asc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place asc, key asc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1 and m.role = 0 and m.origin = 1 and (m.place, m.key) > ($5::float8, $6::uuid)
  order by m.place asc, m.key asc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place asc, key asc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.kind in (2, 3)
or m.kind = 4 and m.role = 2) and (m.place, m.key) > ($5::float8, $6::uuid)
   order by m.place asc, m.key asc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place asc, key asc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.is_error or m.call_id in (
select e.call_id
  from transcripts.messages e
  where e.session_no = $1 and e.is_error)) and (m.place, m.key) > ($5::float8, $6::uuid)
   order by m.place asc, m.key asc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place asc, key asc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1  and (m.place, m.key) < ($5::float8, $6::uuid)
  order by m.place desc, m.key desc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place desc, key desc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
  select m.* from transcripts.messages m
  where m.session_no = $1 and m.role = 0 and m.origin = 1 and (m.place, m.key) < ($5::float8, $6::uuid)
  order by m.place desc, m.key desc limit $2::int + 1
), sized as (
  select *, row_number() over in_order as nth, count(*) over () as found,
    sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
  from next window in_order as (order by place desc, key desc)
)
select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
  '') as parent_key, m.role, m.kind,
  m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
  encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
  octet_length(b.data) as image_bytes, m.tool_input, m.content,
  exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
  m.nth < m.found as goes_on
from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.kind in (2, 3)
or m.kind = 4 and m.role = 2) and (m.place, m.key) < ($5::float8, $6::uuid)
   order by m.place desc, m.key desc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place desc, key desc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

with next as (
   select m.* from transcripts.messages m
   where m.session_no = $1 and (m.is_error or m.call_id in (
select e.call_id
  from transcripts.messages e
  where e.session_no = $1 and e.is_error)) and (m.place, m.key) < ($5::float8, $6::uuid)
   order by m.place desc, m.key desc limit $2::int + 1
 ), sized as (
   select *, row_number() over in_order as nth, count(*) over () as found,
     sum(coalesce(octet_length(content), 0) + coalesce(octet_length(tool_input), 0)) over in_order as bytes
   from next window in_order as (order by place desc, key desc)
 )
 select replace(m.key::text, '-', '') as key, m.place, m.created_at, replace(m.parent_key::text, '-',
   '') as parent_key, m.role, m.kind,
   m.origin, m.is_error, m.is_sidechain, m.is_cut, m.model, m.tool_name, m.call_id,
   encode(m.image, 'hex') as image, coalesce(b.mime, m.image_mime) as image_mime,
   octet_length(b.data) as image_bytes, m.tool_input, m.content,
   exists (select from transcripts.messages o where o.session_no = $4::bigint and o.key = m.key) as is_copied,
   m.nth < m.found as goes_on
 from sized m left join transcripts.blobs b on b.group_no = $3 and b.sha256 = m.image
 where m.nth = 1 or m.nth <= $2 and m.bytes <= 8388608
 order by m.nth;

-- src/transcripts/store/read-store.ts findSession
select s.no, s.id, s.group_no, s.assistant, s.external_id, s.machine, s.project, s.git_branch, s.version,
  s.title,
s.first_prompt, s.summary, s.message_count, s.tool_call_count, s.unknown_records, s.started_at, s.ended_at,
s.duration_seconds, s.input_tokens::float8 as input_tokens, s.cached_tokens::float8 as cached_tokens,
s.cache_write_tokens::float8 as cache_write_tokens, s.output_tokens::float8 as output_tokens, s.models,
s.files_edited, s.links, s.parent_call_id, s.source_missing, parent.id as parent_id, fork.id as fork_id,
fork.no as fork_no, (extract(epoch from coalesce(s.ended_at, s.created_at)) * 1000000)::bigint as listed_at,
(select count(*)::int from transcripts.sessions child where child.group_no = s.group_no
   and child.assistant = s.assistant and child.parent_key = s.external_id) as subagent_count
     from transcripts.sessions s
left join transcripts.sessions parent on parent.group_no = s.group_no and parent.assistant = s.assistant
  and parent.external_id = s.parent_key
left join transcripts.sessions fork on fork.group_no = s.group_no and fork.assistant = s.assistant
  and fork.external_id = s.fork_key where s.group_no = $1 and s.id = $2;

-- src/transcripts/store/read-store.ts listProjects
select project, count(*)::int as sessions, max(ended_at) as last_at from transcripts.sessions
where group_no = $1 and is_listed and project is not null
group by project order by max(ended_at) desc nulls last limit 1000;

-- src/transcripts/store/read-store.ts listSessions
select s.no, s.id, s.group_no, s.assistant, s.external_id, s.machine, s.project, s.git_branch, s.version,
  s.title,
s.first_prompt, s.summary, s.message_count, s.tool_call_count, s.unknown_records, s.started_at, s.ended_at,
s.duration_seconds, s.input_tokens::float8 as input_tokens, s.cached_tokens::float8 as cached_tokens,
s.cache_write_tokens::float8 as cache_write_tokens, s.output_tokens::float8 as output_tokens, s.models,
s.files_edited, s.links, s.parent_call_id, s.source_missing, parent.id as parent_id, fork.id as fork_id,
fork.no as fork_no, (extract(epoch from coalesce(s.ended_at, s.created_at)) * 1000000)::bigint as listed_at,
(select count(*)::int from transcripts.sessions child where child.group_no = s.group_no
   and child.assistant = s.assistant and child.parent_key = s.external_id) as subagent_count
     from transcripts.sessions s
left join transcripts.sessions parent on parent.group_no = s.group_no and parent.assistant = s.assistant
  and parent.external_id = s.parent_key
left join transcripts.sessions fork on fork.group_no = s.group_no and fork.assistant = s.assistant
  and fork.external_id = s.fork_key where s.group_no = $1 and s.is_listed
   order by coalesce(s.ended_at, s.created_at) desc, s.no desc limit $2;

select s.no, s.id, s.group_no, s.assistant, s.external_id, s.machine, s.project, s.git_branch, s.version,
  s.title,
s.first_prompt, s.summary, s.message_count, s.tool_call_count, s.unknown_records, s.started_at, s.ended_at,
s.duration_seconds, s.input_tokens::float8 as input_tokens, s.cached_tokens::float8 as cached_tokens,
s.cache_write_tokens::float8 as cache_write_tokens, s.output_tokens::float8 as output_tokens, s.models,
s.files_edited, s.links, s.parent_call_id, s.source_missing, parent.id as parent_id, fork.id as fork_id,
fork.no as fork_no, (extract(epoch from coalesce(s.ended_at, s.created_at)) * 1000000)::bigint as listed_at,
(select count(*)::int from transcripts.sessions child where child.group_no = s.group_no
   and child.assistant = s.assistant and child.parent_key = s.external_id) as subagent_count
     from transcripts.sessions s
left join transcripts.sessions parent on parent.group_no = s.group_no and parent.assistant = s.assistant
  and parent.external_id = s.parent_key
left join transcripts.sessions fork on fork.group_no = s.group_no and fork.assistant = s.assistant
  and fork.external_id = s.fork_key
    where s.group_no = $1 and s.assistant = any($2::text[]) and s.machine = any($3::text[]) and s.git_branch = any($4::text[]) and exists (select
    from unnest($5::text[]) as wanted
      
         where s.project = wanted or starts_with(s.project,
         wanted || '/')) and s.models ?| $6::text[] and coalesce(s.ended_at,
         s.created_at) >= $7 and coalesce(s.started_at,
         s.created_at) < $8 and s.external_id = $9 and s.message_count > 0 and (coalesce(s.ended_at,
         s.created_at), s.no) < ('epoch'::timestamptz + $10::bigint * interval '1 microsecond',
       $11::bigint)
   order by coalesce(s.ended_at, s.created_at) desc, s.no desc limit $12;

select s.no, s.id, s.group_no, s.assistant, s.external_id, s.machine, s.project, s.git_branch, s.version,
  s.title,
s.first_prompt, s.summary, s.message_count, s.tool_call_count, s.unknown_records, s.started_at, s.ended_at,
s.duration_seconds, s.input_tokens::float8 as input_tokens, s.cached_tokens::float8 as cached_tokens,
s.cache_write_tokens::float8 as cache_write_tokens, s.output_tokens::float8 as output_tokens, s.models,
s.files_edited, s.links, s.parent_call_id, s.source_missing, parent.id as parent_id, fork.id as fork_id,
fork.no as fork_no, (extract(epoch from coalesce(s.ended_at, s.created_at)) * 1000000)::bigint as listed_at,
(select count(*)::int from transcripts.sessions child where child.group_no = s.group_no
   and child.assistant = s.assistant and child.parent_key = s.external_id) as subagent_count
     from transcripts.sessions s
left join transcripts.sessions parent on parent.group_no = s.group_no and parent.assistant = s.assistant
  and parent.external_id = s.parent_key
left join transcripts.sessions fork on fork.group_no = s.group_no and fork.assistant = s.assistant
  and fork.external_id = s.fork_key where s.group_no = $1 and parent.id = $2
   order by coalesce(s.ended_at, s.created_at) desc, s.no desc limit $3;

select s.no, s.id, s.group_no, s.assistant, s.external_id, s.machine, s.project, s.git_branch, s.version,
  s.title,
s.first_prompt, s.summary, s.message_count, s.tool_call_count, s.unknown_records, s.started_at, s.ended_at,
s.duration_seconds, s.input_tokens::float8 as input_tokens, s.cached_tokens::float8 as cached_tokens,
s.cache_write_tokens::float8 as cache_write_tokens, s.output_tokens::float8 as output_tokens, s.models,
s.files_edited, s.links, s.parent_call_id, s.source_missing, parent.id as parent_id, fork.id as fork_id,
fork.no as fork_no, (extract(epoch from coalesce(s.ended_at, s.created_at)) * 1000000)::bigint as listed_at,
(select count(*)::int from transcripts.sessions child where child.group_no = s.group_no
   and child.assistant = s.assistant and child.parent_key = s.external_id) as subagent_count
     from transcripts.sessions s
left join transcripts.sessions parent on parent.group_no = s.group_no and parent.assistant = s.assistant
  and parent.external_id = s.parent_key
left join transcripts.sessions fork on fork.group_no = s.group_no and fork.assistant = s.assistant
  and fork.external_id = s.fork_key where s.group_no = $1 and s.message_count > 0
   order by coalesce(s.ended_at, s.created_at) desc, s.no desc limit $2;

-- src/transcripts/store/read-store.ts listUnknown
select reason, line, is_cut from transcripts.unknown_records where session_no = $1
order by created_at, hash limit $2;

-- src/transcripts/store/read-store.ts listWatchers
select machine, report, seen_at
from transcripts.watchers
where group_no = $1
order by machine
limit 1000;

-- src/transcripts/store/read-store.ts relatedSessions
select r.id, r.title, r.first_prompt, r.parent_call_id, r.message_count, r.started_at, r.ended_at
from transcripts.sessions s join transcripts.sessions r on r.group_no = s.group_no
  and r.assistant = s.assistant and r.parent_key = s.external_id
where s.no = $1 order by r.started_at nulls last, r.no limit 1000;

select r.id, r.title, r.first_prompt, r.parent_call_id, r.message_count, r.started_at, r.ended_at
from transcripts.sessions s join transcripts.sessions r on r.group_no = s.group_no
  and r.assistant = s.assistant and r.fork_key = s.external_id
where s.no = $1 order by r.started_at nulls last, r.no limit 1000;

-- src/transcripts/store/read-store.ts saveWatcher
insert into transcripts.watchers (group_no, machine, report, user_id) values ($1, $2, $3, $4)
on conflict (group_no, machine) do update
  set report = excluded.report, user_id = excluded.user_id, seen_at = now();

-- src/transcripts/store/read-store.ts sessionKeys
select s.id, s.external_id as key from transcripts.sessions s join transcripts.groups g on g.no = s.group_no
where g.group_id = $1 and s.id = any($2::uuid[]);

-- src/transcripts/store/read-store.ts sessionsOf
select s.no, s.id, s.group_no, s.assistant, s.external_id, s.machine, s.project, s.git_branch, s.version,
  s.title,
s.first_prompt, s.summary, s.message_count, s.tool_call_count, s.unknown_records, s.started_at, s.ended_at,
s.duration_seconds, s.input_tokens::float8 as input_tokens, s.cached_tokens::float8 as cached_tokens,
s.cache_write_tokens::float8 as cache_write_tokens, s.output_tokens::float8 as output_tokens, s.models,
s.files_edited, s.links, s.parent_call_id, s.source_missing, parent.id as parent_id, fork.id as fork_id,
fork.no as fork_no, (extract(epoch from coalesce(s.ended_at, s.created_at)) * 1000000)::bigint as listed_at,
(select count(*)::int from transcripts.sessions child where child.group_no = s.group_no
   and child.assistant = s.assistant and child.parent_key = s.external_id) as subagent_count
     from transcripts.sessions s
left join transcripts.sessions parent on parent.group_no = s.group_no and parent.assistant = s.assistant
  and parent.external_id = s.parent_key
left join transcripts.sessions fork on fork.group_no = s.group_no and fork.assistant = s.assistant
  and fork.external_id = s.fork_key where s.no = any($1::bigint[]);

-- src/transcripts/store/response-store.ts responsesOf
with recursive tree as (
  select no, group_no, assistant, external_id from transcripts.sessions where no = $1
  union
  select child.no, child.group_no, child.assistant, child.external_id from transcripts.sessions child
  join tree on child.group_no = tree.group_no and child.assistant = tree.assistant
    and child.parent_key = tree.external_id
)
select u.input_tokens::float8 as "inputTokens", u.output_tokens::float8 as "outputTokens", u.created_at as at
from transcripts.usage u where u.session_no in (select no from tree);

-- src/transcripts/store/session-store.ts addSessions
insert into transcripts.sessions (id, group_no, assistant, external_id, machine)
select id, $1, $2, key, $3 from unnest($4::uuid[], $5::text[]) as given (id, key)
on conflict (group_no, assistant, external_id) do nothing;

-- src/transcripts/store/session-store.ts deletedKeys
select external_id from transcripts.deleted_sessions
where group_no = $1 and assistant = $2 and external_id = any($3::text[]);

-- src/transcripts/store/session-store.ts sessionsByKey
select no, external_id, project, git_branch, version, title, title_rank, first_prompt, first_prompt_order,
last_answer, last_answer_order, summary, has_model_summary, message_count, tool_call_count, prompt_count,
unknown_records, (extract(epoch
  from started_at) * 1000)::float8 as started_at, (extract(epoch
  from ended_at) * 1000)::float8 as ended_at, (extract(epoch
  from born_at) * 1000)::float8 as born_at, input_tokens::float8 as input_tokens,
cached_tokens::float8 as cached_tokens, cache_write_tokens::float8 as cache_write_tokens,
output_tokens::float8 as output_tokens, models, files_edited, links, parent_key, parent_call_id, fork_key,
is_fork_inferred from transcripts.sessions
   where group_no = $1 and assistant = $2 and external_id = any($3::text[]);

-- src/transcripts/store/session-store.ts sessionsByNo
select no, external_id, project, git_branch, version, title, title_rank, first_prompt, first_prompt_order,
last_answer, last_answer_order, summary, has_model_summary, message_count, tool_call_count, prompt_count,
unknown_records, (extract(epoch
  from started_at) * 1000)::float8 as started_at, (extract(epoch
  from ended_at) * 1000)::float8 as ended_at, (extract(epoch
  from born_at) * 1000)::float8 as born_at, input_tokens::float8 as input_tokens,
cached_tokens::float8 as cached_tokens, cache_write_tokens::float8 as cache_write_tokens,
output_tokens::float8 as output_tokens, models, files_edited, links, parent_key, parent_call_id, fork_key,
is_fork_inferred from transcripts.sessions where no = any($1::bigint[]);

-- src/transcripts/store/session-store.ts unlistSubagents
update transcripts.sessions set is_listed = false
where group_no = $1 and assistant = $2 and parent_key = any($3::text[]) and is_listed;

-- src/transcripts/store/session-store.ts writeSessions
update transcripts.sessions s
  set project = r.project, git_branch = r.git_branch, version = r.version, title = r.title,
  title_rank = r.title_rank, first_prompt = r.first_prompt, first_prompt_order = r.first_prompt_order,
  last_answer = r.last_answer, last_answer_order = r.last_answer_order,
  summary = case when s.has_model_summary then s.summary else r.summary end, message_count = r.message_count,
  tool_call_count = r.tool_call_count, prompt_count = r.prompt_count, unknown_records = r.unknown_records,
  input_tokens = r.input_tokens, cached_tokens = r.cached_tokens, cache_write_tokens = r.cache_write_tokens,
  output_tokens = r.output_tokens, models = r.models, files_edited = r.files_edited, links = r.links,
  parent_key = r.parent_key, parent_call_id = r.parent_call_id, fork_key = r.fork_key,
  is_fork_inferred = r.is_fork_inferred,
     started_at = to_timestamp(r.started_at / 1000.0), ended_at = to_timestamp(r.ended_at / 1000.0),
       born_at = to_timestamp(r.born_at / 1000.0),
     words = w.words, active = s.active + r.active,
     duration_seconds = transcripts.active_seconds(s.active + r.active),
     is_listed = r.message_count > 0 and (r.parent_key is null or not exists (
select from transcripts.sessions p where p.group_no = s.group_no and p.assistant = s.assistant
  and p.external_id = r.parent_key and p.message_count > 0)),
     updated_at = now()
  
     from jsonb_to_recordset($1) as r (no bigint, project text, git_branch text, version text, title text,
     title_rank smallint, first_prompt text,
first_prompt_order float8, last_answer text, last_answer_order float8, summary text, message_count int,
tool_call_count int, prompt_count int, unknown_records int, input_tokens bigint, cached_tokens bigint,
cache_write_tokens bigint, output_tokens bigint, models jsonb, files_edited text[], links jsonb,
  parent_key text,
parent_call_id text, fork_key text, is_fork_inferred boolean, started_at float8, ended_at float8,
  born_at float8,
     active tstzmultirange)
   join unnest($2::bigint[], $3::tsvector[]) as w (no, words) using (no)
   where s.no = r.no;

-- src/transcripts/store/source-store.ts addSource
insert into transcripts.sources (group_no, name_hash, machine, assistant, root, path, generation,
  derived_generation, position, parser_version)
values ($1, $2, $3, $4, $5, $6, $7, $7, 0, $8) on conflict do nothing;

-- src/transcripts/store/source-store.ts advanceSource
update transcripts.sources set generation = $2, position = $3, identity = $4, cursor = $5, tail_hash = $6,
  born_at = coalesce(born_at, $7), lines = $8, derived = $9, derived_generation = $10, parser_state = $11,
  order_base = $12, skipped_bytes = skipped_bytes + $13, missing_at = null, updated_at = now()
where no = $1;

-- src/transcripts/store/source-store.ts ensureGroup
insert into transcripts.groups (group_id)
values ($1)
on conflict do nothing;

-- src/transcripts/store/source-store.ts findSource
select no, group_no, generation, position::float8 as position, identity, cursor, tail_hash,
lines::float8 as lines, derived::float8 as derived, derived_generation, parser_version, parser_state,
  order_base,
missing_at, updated_at::text from transcripts.sources where group_no = $1 and name_hash = $2;

-- src/transcripts/store/source-store.ts groupNo
select no
from transcripts.groups
where group_id = $1;

-- src/transcripts/store/source-store.ts linkSources
insert into transcripts.session_sources (session_no, source_no)
select unnest($2::bigint[]), $1 on conflict do nothing;

-- src/transcripts/store/source-store.ts listFiles
select no, path from transcripts.sources where group_no = $1 and machine = $2 and assistant = $3 and root = $4
and missing_at is null and no > $5 order by no limit 1000;

-- src/transcripts/store/source-store.ts lockSource
select no, group_no, generation, position::float8 as position, identity, cursor, tail_hash,
lines::float8 as lines, derived::float8 as derived, derived_generation, parser_version, parser_state,
  order_base,
missing_at, updated_at::text from transcripts.sources where no = $1 for update;

-- src/transcripts/store/source-store.ts markAllPresent
update transcripts.sessions set source_missing = false where source_missing
and no in (select session_no from transcripts.session_sources where source_no = $1);

-- src/transcripts/store/source-store.ts markMissing
update transcripts.sources set missing_at = coalesce(missing_at, now())
where group_no = $1 and name_hash = $2 returning no;

-- src/transcripts/store/source-store.ts markPresent
update transcripts.sessions set source_missing = false where source_missing
and group_no = $1 and assistant = $2 and external_id = any($3::text[]);

-- src/transcripts/store/source-store.ts markSessionsMissing
update transcripts.sessions s set source_missing = true from transcripts.session_sources link
where link.source_no = $1 and s.no = link.session_no and not exists (
  select from transcripts.session_sources other
  where other.session_no = s.no and other.source_no = any($2::bigint[])
);

-- src/transcripts/store/source-store.ts presentSources
select distinct o.no, o.path from transcripts.session_sources link
join transcripts.session_sources other on other.session_no = link.session_no
join transcripts.sources o on o.no = other.source_no
where link.source_no = $1 and o.missing_at is null;

-- src/transcripts/store/source-store.ts readSource
select no, group_no, generation, position::float8 as position, identity, cursor, tail_hash,
lines::float8 as lines, derived::float8 as derived, derived_generation, parser_version, parser_state,
  order_base,
missing_at, updated_at::text from transcripts.sources where no = $1;

-- src/transcripts/store/summary-store.ts noteFailure
insert into transcripts.model_summaries as m (session_no, messages, failures)
select no, $2, 1 from transcripts.sessions where no = $1
on conflict (session_no) do update set asked_at = now(), messages = excluded.messages,
  failures = case when excluded.messages > m.messages * 1.2 then 1 else m.failures + 1 end;

-- src/transcripts/store/summary-store.ts saveSummary
select title, first_prompt
from transcripts.sessions
where no = $1;

with changed as (
  update transcripts.sessions set summary = $2, words = $4, has_model_summary = true, updated_at = now()
  where no = $1 returning no
)
insert into transcripts.model_summaries (session_no, messages, failures)
select no, $3, 0 from changed
on conflict (session_no) do update set messages = excluded.messages, failures = 0, asked_at = now();

-- src/transcripts/store/summary-store.ts summaryTasks
select s.no, g.group_id, s.title, s.project, s.summary as plain, s.files_edited, s.message_count,
     left(s.last_answer, 4000) as last_answer, (
       select array_agg(left(content, 600) order by place)
       from ((
select content, place from (
  select content, place, kind, role, origin from transcripts.messages
  where session_no = s.no order by place asc, key asc limit 5000
) as near
where kind = 0 and role = 0 and origin = 1 and content is not null order by place asc limit 12) union (
select content, place from (
  select content, place, kind, role, origin from transcripts.messages
  where session_no = s.no order by place desc, key desc limit 5000
) as near
where kind = 0 and role = 0 and origin = 1 and content is not null order by place desc limit 8)) as prompts
     ) as prompts
   from transcripts.sessions s
   join transcripts.groups g on g.no = s.group_no
   left join transcripts.model_summaries m on m.session_no = s.no
   where s.is_listed and s.message_count >= $3
     and s.ended_at < now() - $1 * interval '1 minute' and s.ended_at > now() - $2 * interval '1 day'
     and (m.session_no is null or s.message_count > m.messages * 1.2
       or (m.failures between 1 and $4 - 1 and m.asked_at < now() - interval '1 hour'))
   order by s.ended_at desc limit $5;

-- src/transcripts/store/usage-store.ts findUsage
select replace(key::text, '-', '') as key, version, session_no, model, input_tokens::float8 as input_tokens,
  cached_tokens::float8 as cached_tokens, cache_write_tokens::float8 as cache_write_tokens,
  output_tokens::float8 as output_tokens
from transcripts.usage where group_no = $1 and assistant = $2 and key = any($3::uuid[]);

-- src/transcripts/store/usage-store.ts saveUnknown
with added as (
  insert into transcripts.unknown_records (session_no, hash, reason, line, is_cut)
  select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::boolean[])
  on conflict do nothing returning session_no
)
select session_no, count(*)::int as records from added group by 1;

-- src/transcripts/store/usage-store.ts saveUsage
insert into transcripts.usage (group_no, assistant, version, key, session_no, model, input_tokens,
  cached_tokens,
  cache_write_tokens, output_tokens, created_at)
select $1, $2, $3, *
  from unnest($4::uuid[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::bigint[], $11::timestamptz[])
on conflict (group_no, assistant, key) do update
  set version = excluded.version, session_no = excluded.session_no, model = excluded.model,
  input_tokens = excluded.input_tokens, cached_tokens = excluded.cached_tokens,
  cache_write_tokens = excluded.cache_write_tokens, output_tokens = excluded.output_tokens,
  created_at = excluded.created_at;
