-- Saved views and the error reporter are deleted with their group: a page must not go on sending to a group that
-- nobody can read.
delete from console.views where group_id not in (select id from access.groups);
delete from console.reporters where group_id not in (select id from access.groups);
alter table console.views add foreign key (group_id) references access.groups on delete cascade;
alter table console.reporters add foreign key (group_id) references access.groups on delete cascade;
