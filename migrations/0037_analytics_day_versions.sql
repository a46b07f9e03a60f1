-- A packed day that did not change keeps its version, so a process that has read it need not read it again.
create sequence analytics.day_versions;
alter table analytics.day_columns add column version bigint not null default nextval('analytics.day_versions');
