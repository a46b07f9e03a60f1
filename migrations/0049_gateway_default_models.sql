-- The model that a group chose for agents or stand-ups without one of their own.
create table gateway.default_models (
  group_id uuid not null references access.groups on delete cascade,
  use text not null check (use in ('agents', 'standups')),
  model text not null check (length(model) between 1 and 300),
  updated_at timestamptz(3) not null default now(),
  primary key (group_id, use)
);

-- The data engineer as it was made, with a model that is about to be retired, follows the default from now on.
update agents.agents set model = 'default'
where id = 'data-engineer' and version = 1 and model = 'claude-sonnet-4-5';
update agents.versions set record = jsonb_set(record, '{model}', '"default"')
where agent_id = 'data-engineer' and version = 1 and record ->> 'model' = 'claude-sonnet-4-5';
