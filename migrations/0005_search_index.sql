create schema search;

-- How far each kind of document has been read.
create table search.kinds (
  kind text primary key,
  cursor text
);

-- Every model that has vectors here. Chunks are numbered in the order of their commits, so one number says how far a
-- model has come; the vectors of a model that no process has used for a while are dropped.
create table search.models (
  id smallint generated always as identity primary key,
  fingerprint text not null unique,
  name text not null,
  embedded_through bigint not null default 0,
  used_at timestamptz not null default now()
);

-- group_id null: for every group.
create table search.documents (
  kind text not null,
  id text not null,
  group_id uuid references access.groups on delete cascade,
  title text not null,
  url text not null,
  at timestamptz not null,
  -- Of title and text: what has not changed is not cut and embedded again.
  hash bytea not null,
  primary key (kind, id)
);
create index documents_by_group on search.documents (group_id, kind, at);

create table search.chunks (
  id bigint generated always as identity primary key,
  kind text not null,
  document_id text not null,
  number integer not null,
  group_id uuid,
  content text not null,
  hash bytea not null,
  words tsvector not null,
  foreign key (kind, document_id) references search.documents on delete cascade
);
create index chunks_by_document on search.chunks (kind, document_id);
create index chunks_by_words on search.chunks using gin (words) with (fastupdate = off);

-- The values of a vector as signed bytes, up to a factor: the cosine does not depend on it.
create table search.vectors (
  chunk_id bigint not null references search.chunks on delete cascade,
  model smallint not null references search.models on delete cascade,
  exact bytea not null check (octet_length(exact) = 768),
  primary key (chunk_id, model)
);
alter table search.vectors alter exact set storage plain;

-- The signs of the same values, alone in narrow rows: every search reads all of a group's.
create table search.signs (
  chunk_id bigint not null references search.chunks on delete cascade,
  model smallint not null references search.models on delete cascade,
  group_id uuid,
  kind text not null,
  bits bit(768) not null,
  primary key (chunk_id, model)
);
create index signs_by_group on search.signs (group_id, model);
