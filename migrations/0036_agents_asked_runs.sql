-- The run that asked for this one, which ends with it when it is cancelled or fails.
alter table agents.runs add column parent_id uuid references agents.runs on delete set null;
create index runs_by_parent on agents.runs (parent_id) where parent_id is not null;
