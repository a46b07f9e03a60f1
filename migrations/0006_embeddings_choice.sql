create schema if not exists embeddings;

-- What a start decided to make embeddings with, under which settings: all its workers, and those that replace them,
-- make the same vectors.
create table embeddings.choices (
  settings text primary key,
  driver text not null,
  model text not null,
  fingerprint text not null,
  digest text,
  chosen_at timestamptz not null default now()
);
