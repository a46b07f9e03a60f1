-- Pooled keys of a provider take over from each other, by weight.
alter table vault.provider_keys
  add column weight smallint not null default 1 check (weight between 1 and 1000),
  add column pooled boolean not null default false;

drop trigger provider_keys_changed on vault.provider_keys;
create trigger provider_keys_changed after insert or delete or update of
  provider_account_id, group_id, provider_id, encrypted_key, is_default, is_active, weight, pooled
  on vault.provider_keys for each statement execute function vault.tell_changed();
