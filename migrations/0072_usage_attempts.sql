-- A request may be sent to several providers before one answers (docs/decisions/033): the group's route that it named,
-- each call where there was more than one, how many there were, and how long the request waited for providers. Null in
-- most rows, where they take no room.
alter table usage.usage_logs
  add column route text,
  add column attempts jsonb,
  add column attempt_count smallint,
  add column upstream_ms integer;
