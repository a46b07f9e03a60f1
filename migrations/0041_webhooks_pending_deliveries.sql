-- Few are pending at a time; those whose attempt was cut off are looked for every minute.
create index deliveries_pending on webhooks.deliveries (started_at) where status = 'pending';
