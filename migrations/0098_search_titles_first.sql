-- outside a transaction
-- The words of titles, also of the parts of names, for a search that looks at titles first. Only ASCII is taken apart,
-- so that the locale of the database does not matter. Documents are copied once: it takes seconds for 100,000.
alter table search.documents add column if not exists title_words tsvector generated always as (
  to_tsvector('english'::regconfig, title || ' ' || regexp_replace(
    regexp_replace(title, '[-!"#$%&''()*+,./:;<=>?@\\^_`{|}~[\]]+', ' ', 'g'), '([a-z0-9])([A-Z])', '\1 \2', 'g'))
) stored;
drop index concurrently if exists search.documents_by_title_words;
create index concurrently documents_by_title_words on search.documents using gin (title_words) with (fastupdate = off);
-- A search in some kinds reads no others.
drop index concurrently if exists search.signs_by_kind;
create index concurrently signs_by_kind on search.signs (group_id, model, kind);

-- Not in the schema of the index, which backups leave out.
create schema if not exists searches;
create table if not exists searches.saved (
  id uuid primary key default gen_random_uuid(),
  group_id uuid not null references access.groups on delete cascade,
  user_id uuid not null references access.users on delete cascade,
  name text not null,
  query text not null,
  kinds text[] not null,
  created_at timestamptz(3) not null default now(),
  unique (user_id, group_id, name)
);
