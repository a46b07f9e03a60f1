-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/access/api-key-store.ts deleteOldRunKeys
delete from access.api_keys
where run_id is not null and least(revoked_at, expires_at) < now() - make_interval(days => $1);

-- src/access/api-key-store.ts findAnyKey
select "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes", "provider_key_overrides",
  "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until", "allowed_models",
  "allowed_addresses"
from "access"."api_keys"
where "id" = $1;

-- src/access/api-key-store.ts findByHash
with recursive line as (
  select k.*, 0 as depth, case when k.previous_hash = $1 then k.previous_valid_until end as ends
  from access.api_keys k
  where k.key_hash = $2 or (k.previous_hash = $3 and k.previous_valid_until > now())
  union all
  select p.*, line.depth + 1, null from access.api_keys p join line on p.id = line.parent_id
)
select k.id, k.name, k.group_id, k.created_by, k.scopes, k.provider_key_overrides,
  least(k.expires_at, k.ends) as expires_at, k.revoked_at, k.allowed_models, k.allowed_addresses,
  k.run_id, k.run_agent_id, k.run_mode, k.run_agent_version, k.run_request, g.name as group_name,
    u.name as creator_name, u.email as creator_email, m.role
from line k
join access.groups g on g.id = k.group_id
left join access.users u on u.id = k.created_by
left join access.memberships m on m.group_id = k.group_id and m.user_id = k.created_by
order by k.depth;

-- src/access/api-key-store.ts findKey
select "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes", "provider_key_overrides",
  "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until", "allowed_models",
  "allowed_addresses"
from "access"."api_keys"
where "id" = $1
  and "group_id" in ($2)
  and "run_id" is null;

-- src/access/api-key-store.ts insertKey
insert into "access"."api_keys" ("group_id", "created_by", "parent_id", "name", "key_hash", "key_prefix",
  "key_suffix", "scopes", "provider_key_overrides", "expires_at", "allowed_models", "allowed_addresses",
  "last_used_at", "revoked_at", "run_id", "run_agent_id", "run_mode", "run_agent_version", "run_request")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
returning "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes",
  "provider_key_overrides", "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until",
  "allowed_models", "allowed_addresses";

-- src/access/api-key-store.ts insertKeyOnce
insert into "access"."api_keys" ("group_id", "created_by", "parent_id", "name", "key_hash", "key_prefix",
  "key_suffix", "scopes", "provider_key_overrides", "expires_at", "allowed_models", "allowed_addresses",
  "last_used_at", "revoked_at", "run_id", "run_agent_id", "run_mode", "run_agent_version", "run_request")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
on conflict ("key_hash") do nothing
returning "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes",
  "provider_key_overrides", "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until",
  "allowed_models", "allowed_addresses";

-- src/access/api-key-store.ts keyNames
select "id", "name"
from "access"."api_keys"
where "group_id" = $1;

-- src/access/api-key-store.ts keyPeople
select "k"."id", "u"."id" as "userId", "u"."name"
from "access"."api_keys" as "k"
inner join "access"."users" as "u" on "u"."id" = "k"."created_by"
where "k"."group_id" = $1;

-- src/access/api-key-store.ts keysOfPerson
select "id"
from "access"."api_keys"
where "group_id" = $1
  and "created_by" = $2;

-- src/access/api-key-store.ts listKeys
select "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes", "provider_key_overrides",
  "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until", "allowed_models",
  "allowed_addresses"
from "access"."api_keys"
where "group_id" = $1
  and "run_id" is null
order by "created_at" desc;

-- src/access/api-key-store.ts revokeKey
with recursive line as (
  select $1::uuid as id
  union
  select k.id from access.api_keys k join line on k.parent_id = line.id
)
update access.api_keys set revoked_at = now() where id in (select id from line) and revoked_at is null;

-- src/access/api-key-store.ts revokeKeysOf
update "access"."api_keys"
set "revoked_at" = $1
where "group_id" = $2
  and "created_by" = $3
  and "revoked_at" is null;

-- src/access/api-key-store.ts rotateKey
update "access"."api_keys"
set "previous_hash" = "key_hash", "previous_valid_until" = $1, "key_hash" = $2, "key_prefix" = $3,
  "key_suffix" = $4
where "id" = $5
  and "revoked_at" is null
returning "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes",
  "provider_key_overrides", "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until",
  "allowed_models", "allowed_addresses";

-- src/access/api-key-store.ts runKeyAgents
select "id", "run_agent_id"
from "access"."api_keys"
where "group_id" = $1
  and "run_agent_id" is not null;

-- src/access/api-key-store.ts saveLastUsed
update access.api_keys k set last_used_at = greatest(k.last_used_at, u.at)
from unnest($1::uuid[], $2::timestamptz[]) as u (id, at) where k.id = u.id;

-- src/access/api-key-store.ts updateKey
update "access"."api_keys"
set "name" = $1, "scopes" = $2, "expires_at" = $3, "allowed_models" = $4, "allowed_addresses" = $5,
  "provider_key_overrides" = $6
where "id" = $7
returning "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes",
  "provider_key_overrides", "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until",
  "allowed_models", "allowed_addresses";

select "id", "group_id", "created_by", "name", "key_prefix", "key_suffix", "scopes", "provider_key_overrides",
  "expires_at", "last_used_at", "revoked_at", "created_at", "previous_valid_until", "allowed_models",
  "allowed_addresses"
from "access"."api_keys"
where "id" = $1;

-- src/access/group-store.ts addMember
insert into "access"."memberships" ("group_id", "user_id", "role")
values ($1, $2, $3)
on conflict ("group_id", "user_id") do update
set "role" = $4
where "access"."memberships"."role" in ($5, $6);

-- src/access/group-store.ts changeGroup
update "access"."groups"
set "name" = $1, "time_zone" = $2
where "id" = $3;

-- src/access/group-store.ts countAdmins
select count(*)::int as "n"
from "access"."memberships"
where "group_id" = $1
  and "role" in ($2, $3);

-- src/access/group-store.ts countOwnersWhoCanSignIn
select count(distinct m.user_id)::int as "n"
from "access"."memberships" as "m"
inner join "access"."accounts" as "a" on "a"."user_id" = "m"."user_id"
where "m"."role" = $1;

-- src/access/group-store.ts deleteGroup
delete from "access"."groups"
where "id" = $1;

-- src/access/group-store.ts findGroup
select "id", "name"
from "access"."groups"
where id::text = $1;

-- src/access/group-store.ts findUser
select "id", "name", "email"
from "access"."users"
where "id" = $1;

-- src/access/group-store.ts findUserByAccount
select "u"."id", "u"."name", "u"."email"
from "access"."accounts" as "a"
inner join "access"."users" as "u" on "u"."id" = "a"."user_id"
where "a"."provider_id" = $1
  and "a"."account_id" = $2;

-- src/access/group-store.ts findUserByEmail
select "id", "name", "email"
from "access"."users"
where "email" = $1;

-- src/access/group-store.ts firstGroup
select "id", "name"
from "access"."groups"
order by "created_at", "id"
limit $1;

-- src/access/group-store.ts groupsOf
select "g"."id", "g"."name", "m"."role"
from "access"."memberships" as "m"
inner join "access"."groups" as "g" on "g"."id" = "m"."group_id"
where "m"."user_id" = $1
order by "m"."created_at", "g"."id";

-- src/access/group-store.ts hasLeft
select "user_id"
from "access"."departures"
where "group_id" = $1
  and "user_id" = $2;

-- src/access/group-store.ts insertGroup
insert into "access"."groups" ("name", "time_zone")
values ($1, $2)
returning "id", "name", "time_zone", "created_at";

-- src/access/group-store.ts insertUser
insert into "access"."users" ("id", "name", "email")
values ($1, $2, $3)
on conflict do nothing;

-- src/access/group-store.ts keepGroup
select "id"
from "access"."groups"
where "id" = $1 for key share;

-- src/access/group-store.ts listGroups
select "g"."id", "g"."name", "g"."time_zone", "g"."created_at", (select count(*)::int as "n"
  from "access"."memberships" as "m"
  where "m"."group_id" = "g"."id") as "members"
from "access"."groups" as "g"
where "g"."id" in ($1)
order by "g"."created_at";

-- src/access/group-store.ts listMembers
select "m"."user_id", "u"."name", "u"."email", "m"."role", "m"."created_at" as "joined_at"
from "access"."memberships" as "m"
inner join "access"."users" as "u" on "u"."id" = "m"."user_id"
where "m"."group_id" = $1
order by "m"."created_at";

-- src/access/group-store.ts listUsers
select "id", "name", "email"
from "access"."users"
order by "created_at";

-- src/access/group-store.ts lockMembers
select "user_id", "role"
from "access"."memberships"
where "group_id" = $1
for update;

-- src/access/group-store.ts putMember
insert into "access"."memberships" ("group_id", "user_id", "role")
values ($1, $2, $3)
on conflict ("group_id", "user_id") do update
set "role" = $4;

-- src/access/group-store.ts removeMember
delete from "access"."memberships"
where "group_id" = $1
  and "user_id" = $2;

insert into "access"."departures" ("group_id", "user_id")
values ($1, $2)
on conflict do nothing;

-- src/access/group-store.ts timeZonesOf
select "id", "time_zone"
from "access"."groups"
where "id" in ($1);

-- src/access/invitation-store.ts claimInvitation
update "access"."invitations"
set "used_at" = $1
where "id" = $2
  and "used_at" is null
returning "id";

-- src/access/invitation-store.ts deleteExpired
delete from "access"."invitations"
where "used_at" is null
  and "expires_at" < $1;

delete from "access"."sessions"
where "expires_at" < $1;

delete from "access"."password_attempts"
where "expires_at" < $1;

delete from "access"."verifications"
where "expires_at" < $1;

-- src/access/invitation-store.ts deleteFirstOwnerLinks
delete from "access"."invitations"
where "role" = $1
  and "created_by" is null
  and "used_at" is null;

-- src/access/invitation-store.ts deleteInvitation
delete from "access"."invitations"
where "id" = $1
  and "group_id" = $2
  and "used_at" is null
returning "id";

-- src/access/invitation-store.ts findOpenInvitation
select "i"."id", "i"."group_id", "i"."role", "i"."email", "i"."expires_at", "i"."created_at",
  "g"."name" as "group_name"
from "access"."invitations" as "i"
inner join "access"."groups" as "g" on "g"."id" = "i"."group_id"
where "i"."token_hash" = $1
  and "i"."used_at" is null
  and "i"."expires_at" > $2;

-- src/access/invitation-store.ts insertInvitation
insert into "access"."invitations" ("group_id", "role", "email", "created_by", "token_hash", "expires_at",
  "used_at")
values ($1, $2, $3, $4, $5, $6, $7)
returning "id", "group_id", "role", "email", "expires_at", "created_at";

-- src/access/invitation-store.ts listOpenInvitations
select "id", "group_id", "role", "email", "expires_at", "created_at"
from "access"."invitations"
where "used_at" is null
  and "expires_at" > $1
  and "group_id" = $2
order by "created_at" desc;

-- src/access/invitation-store.ts openInvitationsFor
select "id", "group_id", "role", "email", "expires_at", "created_at"
from "access"."invitations"
where "used_at" is null
  and "expires_at" > $1
  and "email" = $2;

-- src/access/password-attempts.ts count
insert into access.password_attempts as a (subject, failures, expires_at)
values ($1, 1, now() + make_interval(secs => $2::integer))
on conflict (subject) do update set
  failures = case when a.expires_at <= now() then 1 else a.failures + 1 end,
  expires_at = case when a.expires_at <= now() then excluded.expires_at else a.expires_at end
returning failures, greatest(1, ceil(extract(epoch from expires_at - now())))::integer as wait;

-- src/access/password-attempts.ts forget
delete from access.password_attempts
where subject = $1;

update access.password_attempts
set failures = failures - 1
where subject = $1
  and failures > 0;

-- src/access/session-store.ts endPassword
delete from "access"."accounts"
where "user_id" = $1
  and "provider_id" = $2;

-- src/access/session-store.ts endSessions
delete from "access"."sessions"
where "user_id" = $1;
