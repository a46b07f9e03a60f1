-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/initiatives/search-kinds.ts createSearchKinds
select id, group_id, title, description as text, '/initiatives/' || slug as url, updated_at
  from "initiatives"."initiatives"
where (updated_at, id) > ($1::timestamptz, $2::uuid)
order by updated_at, id limit $3;

select id
from "initiatives"."initiatives"
where id = any($1::uuid[]);

select id, group_id, title, concat_ws(E'
', decision, rationale, context, consequences) as text,
  '/initiatives/' || initiative_id || '?decision=' || id as url, updated_at
  from "initiatives"."decisions"
        where (updated_at, id) > ($1::timestamptz, $2::uuid)
        order by updated_at, id limit $3;

select id
from "initiatives"."decisions"
where id = any($1::uuid[]);

-- src/initiatives/store/detail-store.ts confidenceHistory
select h.* from unnest($1::uuid[]) as wanted (id) cross join lateral (
  select * from initiatives.confidence_changes where criterion_id = wanted.id
  order by created_at desc, id desc limit $2) h
order by h.created_at, h.id;

-- src/initiatives/store/detail-store.ts countDetails
select count(*)::int as "count"
from "initiatives"."criteria"
where "initiative_id" = $1;

-- src/initiatives/store/detail-store.ts deleteDetail
delete from "initiatives"."criteria"
where "initiative_id" = $1
  and "id" = $2;

-- src/initiatives/store/detail-store.ts findDecision
select *
from "initiatives"."decisions"
where "initiative_id" = $1
  and "id" = $2;

-- src/initiatives/store/detail-store.ts findQuestion
select *
from "initiatives"."questions"
where "initiative_id" = $1
  and "id" = $2;

-- src/initiatives/store/detail-store.ts insertArtifact
insert into "initiatives"."artifacts" ("id", "initiative_id", "type", "title", "content", "standup_id",
  "approved_by", "approved_by_name")
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- src/initiatives/store/detail-store.ts insertConfidenceChange
insert into "initiatives"."confidence_changes" ("id", "criterion_id", "before", "confidence", "proposed",
  "reason", "evidence", "standup_id", "changed_by", "changed_by_name")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- src/initiatives/store/detail-store.ts insertCriterion
insert into "initiatives"."criteria" ("id", "initiative_id", "text", "confidence")
values ($1, $2, $3, $4);

-- src/initiatives/store/detail-store.ts insertDecision
insert into "initiatives"."decisions" ("id", "group_id", "initiative_id", "title", "context", "options",
  "decision", "rationale", "consequences", "evidence", "decided_by", "decided_at", "supersedes", "standup_id")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
returning *;

-- src/initiatives/store/detail-store.ts insertFinding
insert into "initiatives"."findings" ("id", "initiative_id", "text", "source", "url", "created_by_name")
values ($1, $2, $3, $4, $5, $6);

-- src/initiatives/store/detail-store.ts insertLink
insert into "initiatives"."links" ("id", "initiative_id", "kind", "target", "title")
values ($1, $2, $3, $4, $5)
on conflict ("initiative_id", "kind", "target") do nothing;

-- src/initiatives/store/detail-store.ts insertQuestion
insert into "initiatives"."questions" ("id", "initiative_id", "text", "category", "answer", "answered_at",
  "answered_by_name")
values ($1, $2, $3, $4, $5, $6, $7);

-- src/initiatives/store/detail-store.ts listArtifacts
select "id", "type", "title", "content", "standup_id", "approved_by_name" as "approved_by", "approved_at"
from "initiatives"."artifacts"
where "initiative_id" = $1
order by "approved_at" desc, "id" desc
limit $2;

-- src/initiatives/store/detail-store.ts listCriteria
select *
from "initiatives"."criteria"
where "initiative_id" = $1
order by "created_at", "id";

-- src/initiatives/store/detail-store.ts listDecisions
select *
from "initiatives"."decisions"
where "initiative_id" = $1
order by "decided_at" desc, "id" desc
limit $2;

-- src/initiatives/store/detail-store.ts listFindings
select "id", "text", "source", "url", "created_at"
from "initiatives"."findings"
where "initiative_id" = $1
order by "created_at", "id"
limit $2;

-- src/initiatives/store/detail-store.ts listLinks
select "id", "kind", "target", "title", "created_at"
from "initiatives"."links"
where "initiative_id" = $1
order by "created_at", "id"
limit $2;

-- src/initiatives/store/detail-store.ts listQuestions
select *
from "initiatives"."questions"
where "initiative_id" = $1
order by "created_at", "id"
limit $2;

-- src/initiatives/store/detail-store.ts lockCriterion
select *
from "initiatives"."criteria"
where "initiative_id" = $1
  and "id" = $2
for update;

-- src/initiatives/store/detail-store.ts setDecisionStatus
update "initiatives"."decisions"
set "status" = $1, "updated_at" = $2
where "initiative_id" = $3
  and "id" = $4
  and "status" != $5
returning *;

-- src/initiatives/store/detail-store.ts supersedeDecision
update "initiatives"."decisions"
set "status" = $1, "superseded_by" = $2, "updated_at" = $3
where "initiative_id" = $4
  and "id" = $5
  and "status" != $6;

-- src/initiatives/store/detail-store.ts updateCriterion
update "initiatives"."criteria"
set "confidence" = $1, "updated_at" = $2
where "id" = $3;

-- src/initiatives/store/detail-store.ts updateQuestion
update "initiatives"."questions"
set "answer" = $1, "answered_at" = $2
where "initiative_id" = $3
  and "id" = $4
returning *;

-- src/initiatives/store/initiative-store.ts deleteInitiative
delete from "initiatives"."initiatives"
where "group_id" = $1
  and "id" = $2;

-- src/initiatives/store/initiative-store.ts findInitiative
select *
from "initiatives"."initiatives"
where "group_id" = $1
  and "id" = $2;

select *
from "initiatives"."initiatives"
where "group_id" = $1
  and "slug" = $2;

-- src/initiatives/store/initiative-store.ts insertInitiative
insert into "initiatives"."initiatives" ("id", "group_id", "slug", "title", "description", "owner",
  "created_by", "status")
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict ("group_id", "slug") do nothing
returning *;

-- src/initiatives/store/initiative-store.ts listInitiatives
select "i".*, (select count(*)::int
  from initiatives.criteria c
  where c.initiative_id = i.id) as "criteria_count", (select min(c.confidence)
  from initiatives.criteria c
  where c.initiative_id = i.id) as "confidence", array(select c.confidence
  from initiatives.criteria c
  where c.initiative_id = i.id
  order by c.created_at, c.id) as "confidences", (select count(*)::int
  from initiatives.questions q
  where q.initiative_id = i.id and q.answered_at is null) as "open_questions"
from "initiatives"."initiatives" as "i"
where "i"."group_id" = $1
order by "i"."created_at" desc, "i"."id" desc
limit $2;

select "i".*, (select count(*)::int
  from initiatives.criteria c
  where c.initiative_id = i.id) as "criteria_count", (select min(c.confidence)
  from initiatives.criteria c
  where c.initiative_id = i.id) as "confidence", array(select c.confidence
  from initiatives.criteria c
  where c.initiative_id = i.id
  order by c.created_at, c.id) as "confidences", (select count(*)::int
  from initiatives.questions q
  where q.initiative_id = i.id and q.answered_at is null) as "open_questions"
from "initiatives"."initiatives" as "i"
where "i"."group_id" = $1
  and "i"."status" in ($2)
  and ("i"."created_at", "i"."id") < ($3::timestamptz, $4::uuid)
order by "i"."created_at" desc, "i"."id" desc
limit $5;

-- src/initiatives/store/initiative-store.ts updateInitiative
update "initiatives"."initiatives"
set "title" = $1, "updated_at" = $2
where "id" = $3
returning *;
