-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/gateway/catalog/default-model-store.ts listDefaults
select distinct "model"
from "gateway"."default_models";

-- src/gateway/catalog/default-model-store.ts readDefaults
select "use", "model"
from "gateway"."default_models"
where "group_id" = $1;

-- src/gateway/catalog/default-model-store.ts writeDefault
insert into "gateway"."default_models" ("group_id", "use", "model")
values ($1, $2, $3)
on conflict ("group_id", "use") do update
set "model" = $4, "updated_at" = $5;

delete from "gateway"."default_models"
where "group_id" = $1
  and "use" = $2;

-- src/gateway/catalog/model-store.ts listSyncedModels
select *
from "gateway"."models"
where "group_id" = $1
order by "id";

-- src/gateway/catalog/model-store.ts listSyncedPrices
select "group_id" as "groupId", "id" as "model", "input_price_per_1m" as "inputPrice",
  "output_price_per_1m" as "outputPrice", "cache_read_price_per_1m" as "cacheReadPrice",
  "cache_write_price_per_1m" as "cacheWritePrice", "request_price" as "requestPrice",
  "other_prices" as "otherPrices"
from "gateway"."models"
where "provider_id" in ($1)
  and not exists (select "gateway"."providers"."id"
    from "gateway"."providers"
    where "gateway"."providers"."group_id" = "gateway"."models"."group_id" and "gateway"."providers"."id" = "gateway"."models"."provider_id")
  and "input_price_per_1m" is not null;

-- src/gateway/catalog/model-store.ts replaceModels
select *
from "gateway"."models"
where "group_id" = $1
  and "provider_id" = $2;

delete from "gateway"."models"
where "group_id" = $1
  and "provider_id" = $2
  and "id" in ($3);

-- src/gateway/catalog/model-store.ts upsert
insert into "gateway"."models" ("group_id", "provider_id", "synced_at", "id", "name", "created",
  "context_length", "max_output", "input_price_per_1m", "output_price_per_1m", "cache_read_price_per_1m",
  "cache_write_price_per_1m", "request_price", "other_prices", "capabilities")
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
on conflict ("group_id", "provider_id", "id") do update
set "name" = "excluded"."name", "created" = "excluded"."created",
  "context_length" = "excluded"."context_length", "max_output" = "excluded"."max_output",
  "input_price_per_1m" = "excluded"."input_price_per_1m",
  "output_price_per_1m" = "excluded"."output_price_per_1m",
  "cache_read_price_per_1m" = "excluded"."cache_read_price_per_1m",
  "cache_write_price_per_1m" = "excluded"."cache_write_price_per_1m",
  "request_price" = "excluded"."request_price", "other_prices" = "excluded"."other_prices",
  "capabilities" = "excluded"."capabilities", "synced_at" = "excluded"."synced_at";

-- src/gateway/catalog/provider-store.ts deleteCustomProvider
delete from "gateway"."providers"
where "group_id" = $1
  and "id" = $2
returning "id";

-- src/gateway/catalog/provider-store.ts deleteInactiveProvider
delete from "gateway"."inactive_providers"
where "group_id" = $1
  and "provider_id" = $2;

-- src/gateway/catalog/provider-store.ts insertCustomProvider
insert into "gateway"."providers" ("group_id", "id", "name", "base_url", "docs_url", "prefixes",
  "allow_private", "is_active")
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- src/gateway/catalog/provider-store.ts insertInactiveProvider
insert into "gateway"."inactive_providers" ("group_id", "provider_id")
values ($1, $2)
on conflict do nothing;

-- src/gateway/catalog/provider-store.ts listCustomProviders
select "group_id", "id", "name", "base_url", "docs_url", "prefixes", "allow_private", "is_active"
from "gateway"."providers"
order by "created_at";

select "group_id", "id", "name", "base_url", "docs_url", "prefixes", "allow_private", "is_active"
from "gateway"."providers"
where "group_id" = $1
order by "created_at";

-- src/gateway/catalog/provider-store.ts listInactiveProviders
select *
from "gateway"."inactive_providers";

-- src/gateway/catalog/provider-store.ts updateCustomProvider
update "gateway"."providers"
set "name" = $1, "base_url" = $2, "docs_url" = $3, "prefixes" = $4, "allow_private" = $5, "is_active" = $6
where "group_id" = $7
  and "id" = $8;

-- src/gateway/catalog/search-kind.ts createModelSearchKind
select concat_ws('/', m.group_id, m.provider_id, m.id) as key
from unnest($1::text[]) as given (key), regexp_match(given.key, '^([^/]+)/([^/]+)/(.*)$') as part
join gateway.models m on (m.group_id, m.provider_id, m.id) = (part[1]::uuid, part[2], part[3]);

-- src/gateway/catalog/search-kind.ts selectModels
select group_id, provider_id, id, name, context_length, max_output, input_price_per_1m, output_price_per_1m,
  capabilities, synced_at
from gateway.models where (synced_at, group_id, provider_id, id) > ($1, $2::uuid, $3, $4)
order by synced_at, group_id, provider_id, id limit $5;

-- src/gateway/catalog/stored-response-store.ts deleteStoredBefore
delete from "gateway"."stored_responses"
where "created_at" < $1;

-- src/gateway/catalog/stored-response-store.ts deleteStoredResponse
delete from "gateway"."stored_responses"
where "id" = $1;

-- src/gateway/catalog/stored-response-store.ts findStoredResponse
select "id", "group_id", "api_key_id", "provider_key_id", "model"
from "gateway"."stored_responses"
where "id" = $1;

-- src/gateway/catalog/stored-response-store.ts insertStoredResponses
insert into "gateway"."stored_responses" ("id", "group_id", "api_key_id", "provider_key_id", "model")
values ($1, $2, $3, $4, $5)
on conflict do nothing;

-- src/gateway/catalog/sync-store.ts listDueSyncs
select distinct "gateway"."models"."group_id" as "groupId", "gateway"."models"."provider_id" as "providerId"
from "gateway"."models"
left join "gateway"."model_syncs" on "gateway"."model_syncs"."group_id" = "gateway"."models"."group_id"
  and "gateway"."model_syncs"."provider_id" = "gateway"."models"."provider_id"
where ("gateway"."model_syncs"."tried_at" is null or "gateway"."model_syncs"."tried_at" < $1)
order by "groupId", "providerId";

-- src/gateway/catalog/sync-store.ts listTriedSince
select "group_id" as "groupId", "provider_id" as "providerId"
from "gateway"."model_syncs"
where "tried_at" >= $1;

-- src/gateway/catalog/sync-store.ts noteSync
with earlier as (
  select failure from gateway.model_syncs where group_id = $1 and provider_id = $2
)
insert into gateway.model_syncs (group_id, provider_id, tried_at, failure)
values ($3, $4, now(), $5)
on conflict (group_id, provider_id) do update
  set tried_at = excluded.tried_at, failure = excluded.failure
returning (select failure from earlier) as failure;

-- src/gateway/routing/names/route-store.ts countRoutes
select count(*) as "count"
from "gateway"."routes"
where "group_id" = $1;

-- src/gateway/routing/names/route-store.ts deleteRoute
delete from "gateway"."routes"
where "group_id" = $1
  and "name" = $2
returning "name";

-- src/gateway/routing/names/route-store.ts findRoute
select "name", "description", "strategy", "targets", "attempts", "timeout_ms", "first_token_timeout_ms",
  "created_at", "updated_at"
from "gateway"."routes"
where "group_id" = $1
  and "name" = $2;

-- src/gateway/routing/names/route-store.ts insertRoute
insert into "gateway"."routes" ("name", "description", "strategy", "targets", "attempts", "timeout_ms",
  "first_token_timeout_ms", "group_id")
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing
returning "name", "description", "strategy", "targets", "attempts", "timeout_ms", "first_token_timeout_ms",
  "created_at", "updated_at";

-- src/gateway/routing/names/route-store.ts listRoutes
select "name", "description", "strategy", "targets", "attempts", "timeout_ms", "first_token_timeout_ms",
  "created_at", "updated_at"
from "gateway"."routes"
where "group_id" = $1
order by "name";

-- src/gateway/routing/names/route-store.ts updateRoute
update "gateway"."routes"
set "description" = $1, "targets" = $2, "updated_at" = $3
where "group_id" = $4
  and "name" = $5
returning "name", "description", "strategy", "targets", "attempts", "timeout_ms", "first_token_timeout_ms",
  "created_at", "updated_at";

-- src/gateway/routing/rest-store.ts sendRest
select pg_notify('gateway_key_rests', $1);
