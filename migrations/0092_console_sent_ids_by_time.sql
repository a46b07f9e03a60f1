-- outside a transaction
-- Retention looks for old ids once an hour. They lie in the order of their time, so a few bytes for each range of pages
-- find them; an index of every id would cost each event more than the look costs.
drop index concurrently if exists console.sent_ids_by_time;
create index concurrently sent_ids_by_time on console.sent_ids using brin (event_id uuid_minmax_ops);
