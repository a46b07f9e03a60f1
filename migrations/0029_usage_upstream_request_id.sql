-- The id that the provider gave the request: its support asks for it.
alter table usage.usage_logs add column upstream_request_id text;
