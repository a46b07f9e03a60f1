-- Failed passwords, counted by account and by address. Subjects are hashes: no address or name is kept.
create unlogged table access.password_attempts (
  subject bytea primary key,
  failures integer not null,
  expires_at timestamptz not null
);
create index password_attempts_by_expiry on access.password_attempts (expires_at);
