-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/standups/search-kind.ts createStandupSearchKind
select s.id, s.group_id, s.initiative_id, s.title, s.ended_at as at,
          left(coalesce((
            select string_agg(e.data ->> 'content', E'
' order by e.seq) from standups.events e
            where e.session_id = s.id and e.type in ('message', 'question')), ''), $1) as text
        from standups.sessions s
        where s.status = 'ended' and (s.ended_at, s.id) > ($2::timestamptz, $3::uuid)
        order by s.ended_at, s.id limit $4;

select id
from standups.sessions
where id = any($1::uuid[]);

-- src/standups/store/draft-store.ts findDraft
select "d".*
from "standups"."drafts" as "d"
inner join "standups"."sessions" as "s" on "s"."id" = "d"."session_id"
where "d"."id" = $1
  and "s"."initiative_id" = $2;

-- src/standups/store/draft-store.ts insertDraft
insert into "standups"."drafts" ("id", "session_id", "type", "proposal_id", "effect", "drafted_title",
  "drafted_content", "title", "content")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
returning *;

-- src/standups/store/draft-store.ts listDrafts
select *
from "standups"."drafts"
where "session_id" = $1
order by "created_at", "id";

-- src/standups/store/draft-store.ts settleDraft
update "standups"."drafts"
set "status" = $1
where "id" = $2
  and "status" = $3
returning *;

-- src/standups/store/draft-store.ts waitingDrafts
select session_id, count(*)::int as count from standups.drafts
where session_id = any($1::uuid[]) and status = 'draft' group by 1;

-- src/standups/store/event-store.ts countEvents
select count(*)::int as count from standups.events
where session_id = $1 and type = $2;

-- src/standups/store/event-store.ts insertEvent
with moved as (
  update "standups"."sessions" set last_seq = last_seq + $1
  where id = $2 returning last_seq
)
insert into "standups"."events" ("session_id", seq, type, data)
select $3, moved.last_seq - $4 + given.place, given.type, given.data::jsonb
from moved, unnest($5::text[], $6::text[]) with ordinality as given (type, data, place)
returning seq, type, data, at;

-- src/standups/store/event-store.ts readEvents
select seq, type, data, at from "standups"."events"
where "session_id" = $1 and seq > $2::bigint
order by seq limit $3;

-- src/standups/store/event-store.ts takeDeltas
with taken as (
  delete from standups.events where session_id = $1 and type = 'delta' returning seq, data
)
select data from taken order by seq;

-- src/standups/store/proposal-store.ts findProposal
select *
from "standups"."proposals"
where "session_id" = $1
  and "id" = $2;

-- src/standups/store/proposal-store.ts insertProposal
insert into "standups"."proposals" ("id", "session_id", "kind", "proposed", "content")
values ($1, $2, $3, $4, $5)
returning *;

-- src/standups/store/proposal-store.ts listProposals
select *
from "standups"."proposals"
where "session_id" = $1
order by "created_at", "id";

-- src/standups/store/proposal-store.ts updateProposal
update "standups"."proposals"
set "status" = $1, "settled_at" = $2
where "id" = $3
returning *;

-- src/standups/store/session-store.ts abandoned
select id
from standups.sessions
where status = 'open'
  and work_until < now()
limit 100;

-- src/standups/store/session-store.ts announceInterrupt
select pg_notify('standup_interrupts', $1);

-- src/standups/store/session-store.ts claimTurn
update standups.sessions set is_waiting = false, work = 'turn', work_id = $1,
  work_until = now() + make_interval(secs => $2)
where id = $3 and status = 'open' and is_waiting and work is null
returning *;

-- src/standups/store/session-store.ts clearWork
update "standups"."sessions"
set "work" = $1, "work_id" = $2, "work_until" = $3
where "id" = $4;

-- src/standups/store/session-store.ts findLast
select *
from "standups"."sessions"
where "initiative_id" = $1
order by "started_at" desc, "id" desc
limit $2;

-- src/standups/store/session-store.ts findOpen
select *
from "standups"."sessions"
where "initiative_id" = $1
  and "status" = $2;

-- src/standups/store/session-store.ts findSession
select *
from "standups"."sessions"
where "initiative_id" = $1
  and "id" = $2;

-- src/standups/store/session-store.ts idle
select * from standups.sessions
where status = 'open' and work is null and last_activity_at < now() - make_interval(hours => $1)
order by last_activity_at limit 100;

-- src/standups/store/session-store.ts insertSession
insert into "standups"."sessions" ("id", "group_id", "initiative_id", "title", "status", "model", "brief",
  "started_by", "started_by_name", "is_waiting")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing
returning *;

-- src/standups/store/session-store.ts isIdle
select from standups.sessions
where id = $1 and work is null and last_activity_at < now() - make_interval(hours => $2);

-- src/standups/store/session-store.ts isThere
select 1
from standups.sessions
where id = $1;

-- src/standups/store/session-store.ts lastEnd
select max(ended_at) as at from standups.sessions
where initiative_id = $1 and status = 'ended';

-- src/standups/store/session-store.ts lastStarts
select initiative_id, max(started_at) as at from standups.sessions
where initiative_id = any($1::uuid[]) group by 1;

-- src/standups/store/session-store.ts listSessions
select *
from "standups"."sessions"
where "initiative_id" = $1
order by "started_at" desc, "id" desc
limit $2;

select *
from "standups"."sessions"
where "initiative_id" = $1
  and ("started_at", "id") < ($2::timestamptz, $3::uuid)
order by "started_at" desc, "id" desc
limit $4;

-- src/standups/store/session-store.ts lockSession
select *, coalesce(work_until < now(), false) as "is_abandoned"
from "standups"."sessions"
where "id" = $1
for update;

-- src/standups/store/session-store.ts noteActivity
update standups.sessions
set last_activity_at = now()
where id = $1;

-- src/standups/store/session-store.ts noteMessage
update standups.sessions
set is_waiting = true, message_count = message_count + 1, last_activity_at = now() where id = $1;

-- src/standups/store/session-store.ts renewWork
update standups.sessions set work_until = now() + make_interval(secs => $1)
where id = $2 and work_id = $3;

-- src/standups/store/session-store.ts sessionStarts
select "id", "started_at"
from "standups"."sessions"
where "initiative_id" = $1
order by "started_at" desc
limit $2;

-- src/standups/store/session-store.ts setEnded
update standups.sessions set status = 'ended', ended_at = now(), ended_reason = $1,
  last_activity_at = now(), is_waiting = false, work = null, work_id = null, work_until = null
where id = $2;

-- src/standups/store/session-store.ts setInvited
update "standups"."sessions"
set "invited" = $1
where "id" = $2;

-- src/standups/store/session-store.ts takeForEnd
update standups.sessions set work = 'end', work_id = $1, is_waiting = false,
work_until = now() + make_interval(secs => $2) where id = $3;

-- src/standups/store/session-store.ts waiting
select id
from standups.sessions
where status = 'open'
  and is_waiting
  and work is null
limit 100;
