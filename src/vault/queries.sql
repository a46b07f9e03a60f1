-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/vault/account-store.ts deleteAccount
select "id"
from "vault"."provider_accounts"
where "id" = $1
for update;

delete from "vault"."provider_accounts"
where "id" = $1;

-- src/vault/account-store.ts findAccount
select "id", "group_id", "provider_id", "name", "account_email", "account_phone"
from "vault"."provider_accounts"
where "id" = $1
  and "group_id" in ($2);

-- src/vault/account-store.ts findAccountByName
select "id", "group_id", "provider_id", "name", "account_email", "account_phone"
from "vault"."provider_accounts"
where "group_id" = $1
  and "provider_id" = $2
  and "name" = $3;

-- src/vault/account-store.ts insertAccount
insert into "vault"."provider_accounts" ("group_id", "provider_id", "is_custom", "name", "account_email",
  "account_phone")
values ($1, $2, $3, $4, $5, $6)
on conflict ("group_id", "provider_id", "name") do nothing
returning "id", "group_id", "provider_id", "name", "account_email", "account_phone";

-- src/vault/account-store.ts listAccounts
select "id", "group_id", "provider_id", "name", "account_email", "account_phone"
from "vault"."provider_accounts"
where "group_id" = $1
order by "created_at", "id";

-- src/vault/account-store.ts updateAccount
update "vault"."provider_accounts"
set "name" = $1, "account_email" = $2, "account_phone" = $3
where "id" = $4
returning "id", "group_id", "provider_id", "name", "account_email", "account_phone";

-- src/vault/key-store.ts deleteKey
delete from "vault"."provider_keys"
where "id" = $1
returning "id";

-- src/vault/key-store.ts findKey
select "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix", "is_default",
  "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at"
from "vault"."provider_keys"
where "id" = $1
  and "group_id" in ($2);

-- src/vault/key-store.ts hasKeysFor
select "id"
from "vault"."provider_keys"
where "group_id" = $1
  and "provider_id" = $2
limit $3;

-- src/vault/key-store.ts insertKey
insert into "vault"."provider_keys" ("id", "provider_account_id", "group_id", "provider_id", "user_id", "name",
  "key_suffix", "encrypted_key", "last_used_at", "last_error", "last_error_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix",
  "is_default", "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at";

-- src/vault/key-store.ts keyNames
select "id", "name"
from "vault"."provider_keys"
where "group_id" = $1;

-- src/vault/key-store.ts listChoosable
select "id", "provider_account_id", "provider_id", "name", "encrypted_key", "is_default", "is_active",
  "weight", "pooled"
from "vault"."provider_keys"
where "group_id" = $1
order by "created_at", "id";

-- src/vault/key-store.ts listInUse
select distinct "group_id" as "groupId", "provider_id" as "providerId"
from "vault"."provider_keys"
where "is_active" = $1
order by "groupId", "providerId";

-- src/vault/key-store.ts listKeys
select "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix", "is_default",
  "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at"
from "vault"."provider_keys"
where "group_id" = $1
order by "created_at", "id";

-- src/vault/key-store.ts listKeysOfAccount
select "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix", "is_default",
  "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at"
from "vault"."provider_keys"
where "provider_account_id" = $1
order by "created_at", "id";

-- src/vault/key-store.ts refusedKeys
select "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix", "is_default",
  "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at"
from "vault"."provider_keys"
where "group_id" = $1
  and "is_active" = $2
  and "last_error" like $3
  and last_error_at >= coalesce(last_used_at, last_error_at)
order by "last_error_at"
limit $4;

-- src/vault/key-store.ts saveOutcomes
with held as (
  select id from vault.provider_keys where id = any ($1::uuid[]) order by id for no key update
)
update vault.provider_keys k set
  last_used_at = greatest(k.last_used_at, o.at),
  last_error = case when o.at >= coalesce(k.last_used_at, o.at) then o.error else k.last_error end,
  last_error_at = case
    when o.at < coalesce(k.last_used_at, o.at) then k.last_error_at
    when o.error is not null then o.at
  end
from unnest($2::uuid[], $3::timestamptz[], $4::text[]) as o (id, at, error), held
where k.id = o.id and held.id = k.id;

-- src/vault/key-store.ts sealedText
select "encrypted_key"
from "vault"."provider_keys"
where "id" = $1;

-- src/vault/key-store.ts setActive
update "vault"."provider_keys"
set "is_active" = $1
where "id" = $2
returning "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix",
  "is_default", "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at";

-- src/vault/key-store.ts setDefault
select "id"
from "vault"."provider_keys"
where "group_id" = $1
  and "provider_id" = $2
order by "id"
for update;

update "vault"."provider_keys"
set "is_default" = $1
where "group_id" = $2
  and "provider_id" = $3
  and "is_default" = $4
  and "id" <> $5;

update "vault"."provider_keys"
set "is_default" = $1
where "id" = $2
returning "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix",
  "is_default", "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at";

-- src/vault/key-store.ts updateKey
update "vault"."provider_keys"
set "name" = $1
where "id" = $2
returning "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix",
  "is_default", "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at";

update "vault"."provider_keys"
set "weight" = $1, "pooled" = $2
where "id" = $3
returning "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix",
  "is_default", "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at";

update "vault"."provider_keys"
set "encrypted_key" = $1, "key_suffix" = $2, "last_used_at" = $3, "last_error" = $4, "last_error_at" = $5
where "id" = $6
returning "id", "provider_account_id", "group_id", "provider_id", "user_id", "name", "key_suffix",
  "is_default", "is_active", "weight", "pooled", "last_used_at", "last_error", "last_error_at", "created_at";

-- src/vault/master-key-store.ts countSealed
select ((select count(*) from vault.provider_keys) + (select count(*) from vault.secrets))::int as count;

-- src/vault/master-key-store.ts deleteSealed
delete from "vault"."provider_keys";

delete from "vault"."secrets";

delete from "vault"."server_secrets";

delete from "vault"."master_key";

-- src/vault/master-key-store.ts hasKeys
select exists (select from vault.provider_keys) or exists (select from vault.secrets) as found;

-- src/vault/master-key-store.ts holdMasterKey
insert into "vault"."master_key" ("key_id")
values ($1)
on conflict do nothing;

select "key_id"
from "vault"."master_key"
for share;

-- src/vault/master-key-store.ts holdSealed
select id, group_id, "encrypted_key" as text from "vault"."provider_keys"
where id > $1 order by id limit $2 for update;

select id, group_id, "encrypted_value" as text from "vault"."secrets"
where id > $1 order by id limit $2 for update;

-- src/vault/master-key-store.ts masterKeyInForce
select "key_id"
from "vault"."master_key";

-- src/vault/master-key-store.ts putInForce
insert into "vault"."master_key" ("key_id")
values ($1)
on conflict ("singleton") do update
set "key_id" = $2, "since" = now();

-- src/vault/master-key-store.ts saveSealed
update "vault"."provider_keys" k set "encrypted_key" = n.text
from unnest($1::uuid[], $2::text[]) as n (id, text) where k.id = n.id;

update "vault"."secrets" k set "encrypted_value" = n.text
from unnest($1::uuid[], $2::text[]) as n (id, text) where k.id = n.id;

-- src/vault/master-key-store.ts sealedRows
select id, group_id, "encrypted_key" as text from "vault"."provider_keys"
where id > $1 order by id limit 500;

select id, group_id, "encrypted_value" as text from "vault"."secrets"
where id > $1 order by id limit 500;

-- src/vault/secret-store.ts deleteSecret
delete from "vault"."secrets"
where "id" = $1
  and "group_id" = $2;

-- src/vault/secret-store.ts insertSecret
insert into "vault"."secrets" ("id", "group_id", "encrypted_value")
values ($1, $2, $3);

-- src/vault/secret-store.ts sealedSecret
select "encrypted_value"
from "vault"."secrets"
where "id" = $1
  and "group_id" = $2;

-- src/vault/server-secret-store.ts deleteServerSecrets
delete from "vault"."server_secrets";

-- src/vault/server-secret-store.ts findServerSecret
select "id", "encrypted_value"
from "vault"."server_secrets"
where "name" = $1;

-- src/vault/server-secret-store.ts insertServerSecret
insert into "vault"."server_secrets" ("id", "name", "encrypted_value")
values ($1, $2, $3)
on conflict do nothing;
