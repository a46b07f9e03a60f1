-- What an executed attempt is good for in a workflow: its grammar, and the counts that came back. Not in the chain of
-- the audit log: it proves nothing, it only spares reading the text again.
create table sql.attempt_facts (
  attempt_id uuid primary key,
  group_id uuid not null references access.groups on delete cascade,
  facts jsonb not null
);
