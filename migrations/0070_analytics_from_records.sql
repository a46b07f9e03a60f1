-- outside a transaction
-- Reports are questions to the records again (docs/decisions/026), so nothing is packed by day any more. These indexes
-- hold what reports read of a ticket and of a devlog: their rows are long, and most of a row is text.
drop index concurrently if exists records.tickets_closed;
create index concurrently tickets_closed on records.tickets (group_id, (coalesce(completed_at, cancelled_at)))
  include (completed_at, cancelled_at, created_at, started_at);
drop index concurrently if exists records.devlogs_counted;
create index concurrently devlogs_counted on records.devlogs (group_id, created_at) include (service, author_kind);
drop index concurrently if exists records.tickets_by_close;

-- Changes are not marked any more. What the release before reads (day_columns, changed_days, the functions that pack)
-- stays until a later release drops it. Until its last replica has ended, that release packs these days whenever it
-- reads them, so it shows what changes in the last 30 days and in the next week.
drop trigger if exists for_analytics on records.deployments;
drop trigger if exists for_analytics_changed on records.deployments;
drop trigger if exists for_analytics on records.tickets;
drop trigger if exists for_analytics_changed on records.tickets;
drop trigger if exists for_analytics on records.devlogs;
drop trigger if exists for_analytics_changed on records.devlogs;
insert into analytics.changed_days
  select g.id, kind, analytics.day_of(now()) + n
  from access.groups g, unnest(array['deployments', 'tickets_created', 'tickets_closed', 'devlogs']) as kind,
    generate_series(-30, 7) as n;
-- Its job ends with it; the queue's tables come with the first start, after the migrations.
do $$ begin if to_regclass('jobs.schedule') is not null then delete from jobs.schedule where name = 'analytics.store-days'; end if; end $$;
