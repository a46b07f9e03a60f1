-- What a model costs besides tokens of the common kinds: long cache writes, searches, tiers by the length of the prompt.
-- Not jsonb: the order of the members is kept, so that a list that did not change compares as equal.
alter table gateway.models add column other_prices json;

-- When a group's list of a provider was last fetched, and why that failed.
create table gateway.model_syncs (
  group_id uuid not null references access.groups on delete cascade,
  provider_id text not null,
  tried_at timestamptz not null,
  failure text,
  primary key (group_id, provider_id)
);
