create schema vault;

-- Accounts at providers: a group may have several with one provider, for example for separate billing.
create table vault.provider_accounts (
  id uuid primary key default gen_random_uuid(),
  group_id uuid not null references access.groups on delete cascade,
  provider_id text not null check (length(provider_id) between 1 and 64),
  name text not null check (length(name) between 1 and 100),
  account_email text,
  account_phone text,
  created_at timestamptz not null default now(),
  unique (group_id, provider_id, name),
  -- What a key's own group and provider are checked against.
  unique (id, group_id, provider_id)
);

-- The providers' keys, sealed. Group and provider stand here too: the seal is bound to the group, and the
-- default is one for each provider in a group, whatever the account.
create table vault.provider_keys (
  id uuid primary key,
  provider_account_id uuid not null,
  group_id uuid not null,
  provider_id text not null,
  user_id uuid references access.users on delete set null,
  encrypted_key text not null,
  name text not null check (length(name) between 1 and 100),
  key_suffix text not null check (length(key_suffix) = 4),
  is_default boolean not null default false,
  is_active boolean not null default true,
  last_used_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  -- The moment of writing, not of the transaction: the first key of a group is the first one to be used.
  created_at timestamptz not null default clock_timestamp(),
  foreign key (provider_account_id, group_id, provider_id)
    references vault.provider_accounts (id, group_id, provider_id) on delete cascade
);
create unique index one_default_for_each_provider on vault.provider_keys (group_id, provider_id) where is_default;
create index provider_keys_in_order on vault.provider_keys (group_id, provider_id, created_at, id);
create index provider_keys_by_account on vault.provider_keys (provider_account_id, group_id, provider_id);

-- Which master key is in force. Whoever seals a key holds this row shared; a rotation holds it alone.
create table vault.master_key (
  singleton boolean primary key default true check (singleton),
  key_id text not null check (key_id ~ '^[0-9a-f]{16}$'),
  since timestamptz not null default now()
);

-- Every process keeps keys in memory; any change here tells all of them to look again.
create function vault.tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('vault_changed', tg_table_name);
  return null;
end $$;

-- The last use and the last error are written often and change no choice.
create trigger provider_keys_changed
  after insert or delete or update of provider_account_id, group_id, provider_id, encrypted_key, is_default, is_active
  on vault.provider_keys for each statement execute function vault.tell_changed();
