-- Which API key made a response that its provider stores: only that key may fetch or delete it.
create table gateway.stored_responses (
  id text primary key check (length(id) <= 200),
  group_id uuid not null references access.groups on delete cascade,
  api_key_id uuid not null,
  provider_key_id uuid,
  model text not null,
  created_at timestamptz(3) not null default now()
);
create index stored_responses_group on gateway.stored_responses (group_id);
create index stored_responses_created on gateway.stored_responses (created_at);
