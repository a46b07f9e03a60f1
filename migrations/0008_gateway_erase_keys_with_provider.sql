-- Removing a custom provider erases its accounts and, by their foreign key, its keys. A provider that is added starts
-- without any, also where one with the same id was there before. In triggers, so that no order of requests and no
-- other way to remove a provider leaves a key behind.
create function gateway.erase_keys() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from vault.provider_accounts where group_id = old.group_id and provider_id = old.id;
  else
    delete from vault.provider_accounts where group_id = new.group_id and provider_id = new.id;
  end if;
  return null;
end $$;

create trigger erase_keys after insert or delete
  on gateway.providers for each row execute function gateway.erase_keys();

-- What was left behind by providers that were removed earlier. The ids of built-in providers are no custom ones.
delete from vault.provider_accounts a
where a.provider_id not in ('anthropic', 'openai', 'gemini', 'perplexity', 'openrouter')
  and not exists (select from gateway.providers p where p.group_id = a.group_id and p.id = a.provider_id);
