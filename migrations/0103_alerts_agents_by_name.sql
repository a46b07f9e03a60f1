-- People know an agent by its name; one that was deleted by what is left of it.
create or replace view alerts.approvals as
  select p.id, p.group_id, p.database, p.operations, p.agent_id, p.requester, p.reason, p.status, p.created_at,
    p.expires_at, coalesce(a.name, p.agent_id) as agent
  from sql.approvals p left join agents.agents a on a.group_id = p.group_id and a.id = p.agent_id;
create or replace view alerts.runs as
  select r.id, r.group_id, r.agent_id, r.status, r.error, r.waiting_for, r.created_at, r.updated_at, r.finished_at,
    coalesce(a.name, r.agent_id) as agent
  from agents.runs r left join agents.agents a on a.group_id = r.group_id and a.id = r.agent_id;
