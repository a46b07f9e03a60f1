-- Who asked for a statement or a run: the person, and the run of an agent with its version and request.
alter table access.api_keys add column run_agent_version integer, add column run_request text;

alter table agents.runs add column asked_user jsonb;
update agents.runs r set asked_user = jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
from access.users u where u.id = r.started_by;

-- Part of the hash of an entry where it is not null, so that entries from before keep theirs.
alter table sql.audit add column asked_by jsonb;

alter table sql.approvals
  add column asked_by jsonb,
  -- Why it ended before anybody decided: its run has ended, or the policy changed.
  add column ended_reason text,
  drop constraint approvals_status_check,
  add constraint approvals_status_check check (status in ('pending', 'approved', 'rejected', 'used', 'expired'));
update sql.approvals a set asked_by = jsonb_build_object(
  'user', (
    select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
    from access.users u where u.id = a.requested_by
  ),
  'agent_version', r.agent_version, 'run_id', r.id, 'request', left(r.request, 2000))
from sql.approvals b
left join agents.run_keys k on k.key_id = b.requested_key
left join agents.runs r on r.id = k.run_id
where b.id = a.id;
create index approvals_of_runs on sql.approvals ((asked_by ->> 'run_id')) where status in ('pending', 'approved');
