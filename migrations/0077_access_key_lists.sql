-- What a key may name and where it may be used from. Null: everything, as before.
alter table access.api_keys
  add column allowed_models text[],
  add column allowed_addresses text[];

create or replace trigger api_keys_changed after insert or delete or update of
  scopes, provider_key_overrides, expires_at, revoked_at, group_id, key_hash, previous_valid_until,
  allowed_models, allowed_addresses
  on access.api_keys for each statement execute function access.tell_changed();
