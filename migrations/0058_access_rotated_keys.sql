-- The value that a key had before it was rotated, and until when it is still accepted.
alter table access.api_keys
  add column previous_hash bytea,
  add column previous_valid_until timestamptz;
create unique index api_keys_by_previous_hash on access.api_keys (previous_hash) where previous_hash is not null;

drop trigger api_keys_changed on access.api_keys;
create trigger api_keys_changed after insert or delete or update of
  scopes, provider_key_overrides, expires_at, revoked_at, group_id, key_hash, previous_valid_until
  on access.api_keys for each statement execute function access.tell_changed();
