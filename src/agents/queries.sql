-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/agents/agent-store.ts claimSeeding
insert into "agents"."seeded_groups" ("group_id")
values ($1)
on conflict do nothing;

-- src/agents/agent-store.ts countAgents
select count(*) as "count"
from "agents"."agents"
where "group_id" = $1;

-- src/agents/agent-store.ts deleteAgent
delete from "agents"."agents"
where "group_id" = $1
  and "id" = $2;

-- src/agents/agent-store.ts findAgent
select *
from "agents"."agents"
where "group_id" = $1
  and "id" = $2;

-- src/agents/agent-store.ts insertAgent
insert into "agents"."agents" ("group_id", "id", "name", "model", "category", "description", "capabilities",
  "config", "version", "policy_version", "created_by")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict do nothing
returning *;

-- src/agents/agent-store.ts insertVersion
insert into "agents"."versions" ("group_id", "agent_id", "version", "policy_version", "change", "record",
  "changed_by", "changed_by_name")
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- src/agents/agent-store.ts lastVersion
select max("version") as "version"
from "agents"."versions"
where "group_id" = $1
  and "agent_id" = $2;

-- src/agents/agent-store.ts listAgents
select *
from "agents"."agents"
where "group_id" = $1
order by "created_at", "id"
limit $2;

-- src/agents/agent-store.ts listVersions
select *
from "agents"."versions"
where "group_id" = $1
  and "agent_id" = $2
order by "version" desc
limit $3;

-- src/agents/agent-store.ts lockAgent
select *
from "agents"."agents"
where "group_id" = $1
  and "id" = $2
for update;

-- src/agents/agent-store.ts updateAgent
update "agents"."agents"
set "name" = $1, "config" = $2, "version" = $3, "policy_version" = $4, "updated_at" = $5
where "group_id" = $6
  and "id" = $7
returning *;
