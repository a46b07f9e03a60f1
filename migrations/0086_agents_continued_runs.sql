-- What people wrote after a run had ended: each message continues its conversation, as another turn.
alter table agents.runs add column turns jsonb not null default '[]';
-- The ticket that the run works on: its ID, and its title at that time.
alter table agents.runs add column ticket jsonb;
-- The turn in which a run got a key, from 1 on.
alter table agents.run_keys add column turn integer not null default 1;

-- The last run of an agent that worked on a ticket, and what came of it: on the ticket, so that its page and the search
-- have it also when the run is no longer kept.
alter table records.tickets add column agent_id text;
alter table records.tickets add column run_id uuid;
alter table records.tickets add column run_status text;
alter table records.tickets add column run_result text;
alter table records.tickets add constraint tickets_agent_id_limit check (char_length(agent_id) <= 63) not valid;
alter table records.tickets validate constraint tickets_agent_id_limit;
alter table records.tickets add constraint tickets_run_status_limit check (
  run_status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled')) not valid;
alter table records.tickets validate constraint tickets_run_status_limit;
alter table records.tickets add constraint tickets_run_result_limit check (char_length(run_result) <= 20000) not valid;
alter table records.tickets validate constraint tickets_run_result_limit;
