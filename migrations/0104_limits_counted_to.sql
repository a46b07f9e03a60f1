-- What ended before this is in the row from the usage log; a report that comes later does not add it again. Null where
-- nothing was counted, as when the row was made at the beginning of its window.
alter table limits.windows add column counted_to timestamptz;
