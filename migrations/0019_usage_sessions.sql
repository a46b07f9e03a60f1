-- The session of a coding assistant that a request belongs to, by the assistant's own ids: what a session cost is the
-- sum of its rows, and a row leads to its session.
alter table usage.usage_logs add column session_key text;
alter table usage.usage_logs add column subagent_key text;

create index usage_logs_sessions on usage.usage_logs (group_id, session_key, id) where session_key is not null;
create index usage_logs_subagents on usage.usage_logs (group_id, subagent_key, id) where subagent_key is not null;
