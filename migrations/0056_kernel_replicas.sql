-- The processes that run on this database, with fingerprints of the keys that they must share.
create table kernel.replicas (
  id uuid primary key,
  host text not null,
  process integer not null,
  version text not null,
  master_key_id text not null,
  session_fingerprint text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
