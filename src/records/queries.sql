-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/records/deployments/index.ts checkIncident
select
from records.incidents
where group_id = $1
  and id = $2;

-- src/records/notes/service-of.ts serviceOf
select name from records.services
where group_id = $1 and (id::text = $2 or name = $3);

-- src/records/record-store.ts deleteRecord
delete from "records"."deployments" where group_id = $1 and id = $2
returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

-- src/records/record-store.ts findRecord
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
  from "records"."deployments"
where group_id = $1 and id = $2;

-- src/records/record-store.ts insertRecord
insert into "records"."deployments" ("id", "group_id", "service", "environment", "version", "status",
  "started_at", "finished_at", "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id",
  "source", "external_id", "status_at", "created_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
on conflict do nothing
  returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

insert into "records"."tickets" ("id", "group_id", "title", "description", "status", "priority", "assignee",
  "initiative_id", "url", "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at",
  "source", "external_id", "status_at", "updated_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
on conflict do nothing
  returning "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "updated_at", "status_at";

insert into "records"."devlogs" ("title", "content", "tags", "metadata", "author_kind", "log_type",
  "service_id", "id", "group_id", "author", "created_at", "service")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict do nothing
  returning "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at",
  "updated_at", "service_id", "service", "log_type", "title";

insert into "records"."skills" ("name", "description", "content", "tags", "metadata", "author_kind", "id",
  "group_id", "author", "created_at")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing
  returning "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at",
  "updated_at", "name", "description";

insert into "records"."learnings" ("title", "content", "tags", "metadata", "author_kind", "category", "id",
  "group_id", "author", "created_at", "service")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict do nothing
  returning "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at",
  "updated_at", "service_id", "service", "category", "title";

-- src/records/record-store.ts listRecords
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
  from "records"."deployments"
where group_id = $1
order by "started_at" desc, "id" desc limit $2;

select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
  from "records"."deployments"
where group_id = $1 and "service" = $2 and "environment" = $3 and "status" = any($4) and "started_at" >= $5 and "started_at" < $6 and ("started_at",
  "id") < ($7::timestamptz, $8::uuid)
order by "started_at" desc, "id" desc limit $9;

select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "updated_at", "status_at"
  from "records"."tickets"
where group_id = $1 and "status" = any($2) and "priority" = $3 and "assignee" = $4 and "initiative_id" = $5
order by "created_at" desc, "id" desc limit $6;

select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "service_id", "service", "log_type", "title"
  from "records"."devlogs"
where group_id = $1 and "log_type" = $2 and tags @> $3 and "author_kind" = $4 and (service_id = $5 or service = $6 or service = (
select s.name from records.services s where s.id::text = $7))
order by "created_at" desc, "id" desc limit $8;

select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "name", "description"
  from "records"."skills"
where group_id = $1 and "name" = $2
order by "created_at" desc, "id" desc limit $3;

select "id", "group_id", "content", "tags", "metadata", "author_kind", "author", "created_at", "updated_at",
  "service_id", "service", "category", "title"
  from "records"."learnings"
where group_id = $1 and "category" = $2
order by "created_at" desc, "id" desc limit $3;

-- src/records/record-store.ts lockRecord
select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
from "records"."deployments"
where group_id = $1
  and source = $2
  and external_id = $3
for update;

select "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at", "commit",
  "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id", "created_at",
  "updated_at", "status_at"
from "records"."deployments"
where group_id = $1
  and id = $2
for update;

select "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "updated_at", "status_at"
from "records"."tickets"
where group_id = $1
  and source = $2
  and external_id = $3
for update;

-- src/records/record-store.ts updateRecord
update "records"."deployments" set "service" = $1, "status" = $2, "finished_at" = $3, updated_at = now()
where id = $4
  returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

update "records"."deployments"
  set "status" = $1, "started_at" = $2, "finished_at" = $3, "status_at" = $4, updated_at = now()
where id = $5
  returning "id", "group_id", "service", "environment", "version", "status", "started_at", "finished_at",
  "commit", "committed_at", "url", "deployed_by", "is_rework", "incident_id", "source", "external_id",
  "created_at", "updated_at", "status_at";

update "records"."tickets"
  set "title" = $1, "status" = $2, "completed_at" = $3, "cancelled_at" = $4, updated_at = now()
where id = $5
  returning "id", "group_id", "title", "description", "status", "priority", "assignee", "initiative_id", "url",
  "created_at", "started_at", "completed_at", "cancelled_at", "last_activity_at", "source", "external_id",
  "updated_at", "status_at";
