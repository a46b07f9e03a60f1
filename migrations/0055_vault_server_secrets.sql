-- Secrets of the server itself that all replicas share, such as the one that signs session cookies. Sealed like
-- provider keys; the seal is bound to the id and to the group, which is none.
create table vault.server_secrets (
  name text primary key,
  id uuid not null unique,
  group_id uuid not null default '00000000-0000-0000-0000-000000000000',
  encrypted_value text not null,
  created_at timestamptz not null default now()
);
