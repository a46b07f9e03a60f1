-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/search/document-store.ts deleteDocuments
delete from search.documents
where kind = $1
  and id = any($2::text[]);

-- src/search/document-store.ts insertChunks
insert into search.chunks (kind, document_id, group_id, number, content, hash, words)
select $1, $2, $3, number, content, hash,
  setweight(to_tsvector('english', $4), 'A') || setweight(to_tsvector('english', content), 'B')
  || setweight(to_tsvector('english', parts), 'C')
from unnest($5::integer[], $6::text[], $7::bytea[], $8::text[]) as new (number, content, hash, parts)
order by number;

-- src/search/document-store.ts movePlaces
update search.documents set url = new.url, at = new.at
from unnest($2::text[], $3::text[], $4::timestamptz[]) as new (id, url, at)
where kind = $1 and documents.id = new.id and (documents.url, documents.at) is distinct from (new.url, new.at);

-- src/search/document-store.ts putChunks
select id, hash
from search.chunks
where kind = $1
  and document_id = $2
order by number;

delete from search.chunks
where kind = $1
  and document_id = $2
  and not (id = any($3::bigint[]));

update search.chunks set number = new.number
from unnest($1::bigint[], $2::integer[]) as new (id, number)
where chunks.id = new.id and chunks.number <> new.number;

-- src/search/document-store.ts putDocument
insert into search.documents (kind, id, group_id, title, url, at, hash)
select $1, $2, $3, $4, $5, $6, $7
where $3::uuid is null or exists (select from access.groups where id = $3)
on conflict (kind, id) do update set title = excluded.title, url = excluded.url, at = excluded.at,
  hash = excluded.hash;

-- src/search/document-store.ts putDocuments
insert into search.kinds (kind, cursor) values ($1, $2)
on conflict (kind) do update set cursor = excluded.cursor;

-- src/search/document-store.ts selectStored
select id, hash, group_id
from search.documents
where kind = $1
  and id = any($2::text[]);

-- src/search/kind-store.ts countKinds
select kind, count(distinct document_id)::integer as documents, count(*)::integer as chunks,
  count(*) filter (
    where id > coalesce((select embedded_through from search.models where id = $2), 0)
  )::integer as waiting
from search.chunks where group_id = $1 or group_id is null group by kind order by kind;

-- src/search/kind-store.ts forgetCursors
update search.kinds
set cursor = null;

-- src/search/kind-store.ts listStored
select id, at
from search.documents
where kind = $1
  and id > $2
order by id
limit $3;

-- src/search/kind-store.ts readCursor
select cursor
from search.kinds
where kind = $1;

-- src/search/kind-store.ts trimKind
delete from search.documents using (
  select id, row_number() over (partition by group_id order by at desc, id) as place
  from search.documents where kind = $1
) as placed
where documents.kind = $1 and documents.id = placed.id and placed.place > $2;

-- src/search/nearest-bits.ts insertVectors
insert into search.vectors (chunk_id, model, exact)
select new.id, $2, new.exact from unnest($1::bigint[], $3::bytea[]) as new (id, exact)
join search.chunks on chunks.id = new.id on conflict do nothing;

insert into search.signs (chunk_id, model, group_id, kind, bits)
select new.id, $2, chunks.group_id, chunks.kind, new.bits::bit(768)
from unnest($1::bigint[], $3::text[]) as new (id, bits)
join search.chunks on chunks.id = new.id on conflict do nothing;

-- src/search/nearest-bits.ts selectCandidates
with near as materialized (
  select chunk_id from search.signs
  where model = $1 and (group_id = $2 or group_id is null)
  order by bit_count(bits # $3::bit(768)) limit $4
)
select chunk_id, exact from near join search.vectors using (chunk_id) where model = $1;

with near as materialized (
  select chunk_id from search.signs
  where model = $1 and (group_id = $2 or group_id is null) and kind = any($5::text[])
  order by bit_count(bits # $3::bit(768)) limit $4
)
select chunk_id, exact from near join search.vectors using (chunk_id) where model = $1;

-- src/search/nearest-pgvector.ts createIndex
select indisvalid as valid
from pg_index
where indexrelid = to_regclass($1);

drop index search.embeddings_of_model_1;

create index concurrently embeddings_of_model_1 on search.embeddings
using hnsw (embedding vector_cosine_ops) where model = 1;

-- src/search/nearest-pgvector.ts fillAndIndex
select vectors.chunk_id, exact from search.vectors
left join search.embeddings using (chunk_id, model)
where model = $1 and vectors.chunk_id > $2 and embedding is null
order by vectors.chunk_id limit $3;

-- src/search/nearest-pgvector.ts hasPgvector
select 1
from pg_available_extensions
where name = 'vector';

create extension if not exists vector;

select extversion as version
from pg_extension
where extname = 'vector';

create table if not exists search.embeddings (
  chunk_id bigint not null references search.chunks on delete cascade,
  model smallint not null references search.models on delete cascade,
  group_id uuid,
  kind text not null,
  embedding vector(768) not null,
  primary key (chunk_id, model)
);

-- src/search/nearest-pgvector.ts insertEmbeddings
insert into search.embeddings (chunk_id, model, group_id, kind, embedding)
select new.id, $2, chunks.group_id, chunks.kind, new.embedding::vector(768)
from unnest($1::bigint[], $3::text[]) as new (id, embedding)
join search.chunks on chunks.id = new.id on conflict do nothing;

-- src/search/nearest-pgvector.ts selectNearest
select set_config('hnsw.ef_search', $1, true);

select set_config('hnsw.iterative_scan', 'strict_order', true);

select chunk_id, 1 - (embedding <=> $1::vector) as similarity from search.embeddings
where model = 1 and (group_id = $2 or group_id is null)
order by embedding <=> $1::vector limit $3;

select chunk_id, 1 - (embedding <=> $1::vector) as similarity from search.embeddings
where model = 1 and (group_id = $2 or group_id is null)
  and kind = any($4::text[])
order by embedding <=> $1::vector limit $3;

-- src/search/saved-store.ts deleteSaved
delete from searches.saved
where user_id = $1
  and group_id = $2
  and id = $3;

-- src/search/saved-store.ts listSaved
select id, name, query, kinds, created_at
from searches.saved
where user_id = $1
  and group_id = $2
order by lower(name), id;

-- src/search/saved-store.ts saveSearch
insert into searches.saved (user_id, group_id, name, query, kinds)
select $1, $2, $3, $4, $5
where (select count(*) from searches.saved where user_id = $1 and group_id = $2 and name <> $3) < $6
on conflict (user_id, group_id, name) do update set query = excluded.query, kinds = excluded.kinds
returning id, name, query, kinds, created_at;

-- src/search/spelling.ts selectTitleWords
select word
from ts_stat($1)
where word ~ '^[^-+./]{3,40}$'
order by ndoc desc, word
limit $2;

-- src/search/terms.ts selectTerms
select tsvector_to_array(to_tsvector('english', words)) as lexemes
from unnest($1::text[]) with ordinality as given (words, place) order by place;

-- src/search/titles-store.ts firstChunks
with matching as materialized (select kind, id, at, title_words from search.documents
where title_words @@ websearch_to_tsquery('english', $2) and (group_id = $1 or group_id is null)  limit 2000),
best as (select kind, id, row_number() over (order by at desc) as place from matching order by place limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

with matching as materialized (select kind, id, at, title_words from search.documents
where title_words @@ $2::tsquery and (group_id = $1 or group_id is null)  limit 2000),
best as (select kind, id, row_number() over (order by at desc) as place from matching order by place limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

with matching as materialized (select kind, id, at, title_words from search.documents
where title_words @@ $2::tsquery and (group_id = $1 or group_id is null)  limit 2000),
best as (select kind, id, row_number() over (order by ts_rank(title_words, $2::tsquery) desc,
  at desc) as place
  from matching
  order by place
  limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

with matching as materialized (select kind, id, at from search.documents
where (lower(left(title, 200)) = lower($2) or lower(left(id,
  200)) = lower($2)) and (group_id = $1 or group_id is null) ),
best as (select kind, id, row_number() over (order by at desc) as place from matching order by place limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

with matching as materialized (select kind, id, at, title_words from search.documents
where title_words @@ websearch_to_tsquery('english',
  $2) and (group_id = $1 or group_id is null) and kind = any($4::text[])
  limit 2000),
best as (select kind, id, row_number() over (order by at desc) as place from matching order by place limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

with matching as materialized (select kind, id, at, title_words from search.documents
where title_words @@ $2::tsquery and (group_id = $1 or group_id is null) and kind = any($4::text[])
  limit 2000),
best as (select kind, id, row_number() over (order by at desc) as place from matching order by place limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

with matching as materialized (select kind, id, at, title_words from search.documents
where title_words @@ $2::tsquery and (group_id = $1 or group_id is null) and kind = any($4::text[])
  limit 2000),
best as (select kind, id, row_number() over (order by ts_rank(title_words, $2::tsquery) desc,
  at desc) as place
  from matching
  order by place
  limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

with matching as materialized (select kind, id, at from search.documents
where (lower(left(title, 200)) = lower($2) or lower(left(id,
  200)) = lower($2)) and (group_id = $1 or group_id is null) and kind = any($4::text[])),
best as (select kind, id, row_number() over (order by at desc) as place from matching order by place limit $3)
select first.id from best cross join lateral (
  select chunks.id
    from search.chunks
    where (chunks.kind, document_id) = (best.kind, best.id)
    order by number
    limit 1
) as first order by place;

-- src/search/vector-store.ts countWaiting
select count(*) from (
  select from search.chunks
  where id > (select embedded_through from search.models where id = $1) limit $2
) waiting;

-- src/search/vector-store.ts dropUnusedModels
delete from search.models
where used_at < now() - interval '7 days';

-- src/search/vector-store.ts findModel
insert into search.models (fingerprint, name) values ($1, $2)
on conflict (fingerprint) do update set name = excluded.name, used_at = now()
returning id;

-- src/search/vector-store.ts nextWaiting
select chunks.id, chunks.kind, chunks.group_id, documents.title, chunks.content
from search.chunks join search.documents on (documents.kind, documents.id) = (chunks.kind, document_id)
where chunks.id > (select embedded_through from search.models where id = $1)
order by chunks.id limit $2;

-- src/search/vector-store.ts putVectors
select
from search.chunks
where id = any($1::bigint[]) for key share;

update search.models
set embedded_through = greatest(embedded_through, $2), used_at = now()
where id = $1;

-- src/search/words-store.ts createCommonWords
select most_common_elems::text::text[] as words, most_common_elem_freqs as shares from pg_stats
where schemaname = 'search' and tablename = 'chunks' and attname = 'words'
  and most_common_elems is not null;

-- src/search/words-store.ts select
with matching as materialized (
  select id, words from search.chunks
  where words @@ websearch_to_tsquery('english', $2) and (group_id = $1 or group_id is null)  limit 2000
)
select id
  from matching
  order by ts_rank_cd(words, websearch_to_tsquery('english', $2), 1) desc, id desc
  limit $3;

with matching as materialized (
  select id, words from search.chunks
  where words @@ $2::tsquery and (group_id = $1 or group_id is null)  limit 2000
)
select id from matching order by ts_rank_cd(words, $2::tsquery, 1) desc, id desc limit $3;

with matching as materialized (
  select id, words from search.chunks
  where words @@ $2::tsquery and (group_id = $1 or group_id is null)  limit 2000
)
select id, tsvector_to_array(words) as lexemes
  from matching
  order by ts_rank(words, $2::tsquery, 1) desc, id desc
  limit $3;

with matching as materialized (
  select id, words from search.chunks
 
    where words @@ websearch_to_tsquery('english',
    $2) and (group_id = $1 or group_id is null) and kind = any($4::text[])
    limit 2000
)
select id
  from matching
  order by ts_rank_cd(words, websearch_to_tsquery('english', $2), 1) desc, id desc
  limit $3;

with matching as materialized (
  select id, words from search.chunks
  where words @@ $2::tsquery and (group_id = $1 or group_id is null) and kind = any($4::text[]) limit 2000
)
select id from matching order by ts_rank_cd(words, $2::tsquery, 1) desc, id desc limit $3;

with matching as materialized (
  select id, words from search.chunks
  where words @@ $2::tsquery and (group_id = $1 or group_id is null) and kind = any($4::text[]) limit 2000
)
select id, tsvector_to_array(words) as lexemes
  from matching
  order by ts_rank(words, $2::tsquery, 1) desc, id desc
  limit $3;

-- src/search/words-store.ts selectContents
select id, content
from search.chunks
where id = any($1::bigint[]);

-- src/search/words-store.ts selectDocumentsOf
select chunks.id, chunks.kind, document_id, number, title, tsvector_to_array(title_words) as title_lexemes,
  url, at
from search.chunks join search.documents on (documents.kind, documents.id) = (chunks.kind, document_id)
where chunks.id = any($2::bigint[]) and (documents.group_id = $1 or documents.group_id is null);
