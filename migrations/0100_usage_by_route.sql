-- locks: only what copies the journal of usage writes to the log, and no request waits for it
-- The requests of a route, and those that took several calls, in the order of the log. Most groups have few of them.
create index usage_logs_routes on usage.usage_logs (group_id, route, id) where route is not null;
create index usage_logs_attempts on usage.usage_logs (group_id, id) where attempt_count > 1;

-- What alerts read of the sums by tag.
create view alerts.usage_parts as
  select group_id, kind, day, value, coalesce(total_cost, 0) as cost from usage.daily_parts;
