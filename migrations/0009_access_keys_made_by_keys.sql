-- A key made with a key has at most its scopes, pins and expiry, and ends with it.
alter table access.api_keys add column parent_id uuid references access.api_keys on delete cascade;
create index api_keys_by_parent on access.api_keys (parent_id) where parent_id is not null;
