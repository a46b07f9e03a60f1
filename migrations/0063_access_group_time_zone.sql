-- The time zone of a group's pages. Null: everybody sees the times of their own clock.
alter table access.groups add column time_zone text check (length(time_zone) between 1 and 64);
