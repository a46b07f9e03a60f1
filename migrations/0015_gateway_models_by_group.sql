-- A model list belongs to the group whose key fetched it: it may name private models and negotiated prices.
alter table gateway.models add column group_id uuid references access.groups on delete cascade;

-- Who fetched the lists that are there was not stored. It is known where one group alone has accounts with the
-- provider; other lists are deleted, and the next synchronisation fetches them again.
update gateway.models m set group_id = owner.group_id
from (
  select provider_id, min(group_id::text)::uuid as group_id
  from vault.provider_accounts group by provider_id having count(distinct group_id) = 1
) owner
where owner.provider_id = m.provider_id;
delete from gateway.models where group_id is null;

alter table gateway.models
  alter column group_id set not null,
  drop constraint models_pkey,
  add primary key (group_id, provider_id, id);

-- Removing a custom provider erases its models too.
create or replace function gateway.erase_keys() returns trigger language plpgsql as $$
declare
  gone gateway.providers := case when tg_op = 'DELETE' then old else new end;
begin
  delete from vault.provider_accounts where group_id = gone.group_id and provider_id = gone.id;
  delete from gateway.models where group_id = gone.group_id and provider_id = gone.id;
  return null;
end $$;
delete from gateway.models m
where m.provider_id not in ('anthropic', 'openai', 'gemini', 'perplexity', 'openrouter')
  and not exists (select from gateway.providers p where p.group_id = m.group_id and p.id = m.provider_id);

-- Synchronised prices belong to a group as well. Those of all groups end here and keep their requests.
alter table usage.model_pricing
  drop constraint model_pricing_check,
  add constraint model_pricing_group check (
    case source
      when 'own' then group_id is not null
      when 'built_in' then group_id is null
      else group_id is not null or effective_to is not null
    end
  ) not valid;
update usage.model_pricing set effective_to = greatest(effective_from, now())
where source = 'synced' and effective_to is null;
alter table usage.model_pricing validate constraint model_pricing_group;

-- The search reads all models again; until then it knows none.
delete from search.documents where kind = 'model';
delete from search.kinds where kind = 'model';
