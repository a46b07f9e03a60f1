-- An account that is added while its custom provider is removed would outlive it with its keys. The row of the provider
-- is held while an account is added: a removal waits, and then erases the new account too.
create function gateway.require_provider() returns trigger language plpgsql as $$
begin
  perform from gateway.providers where group_id = new.group_id and id = new.provider_id for key share;
  if not found and new.provider_id not in ('anthropic', 'openai', 'gemini', 'perplexity', 'openrouter') then
    raise foreign_key_violation using message = 'there is no such provider';
  end if;
  return new;
end $$;

create trigger require_provider before insert
  on vault.provider_accounts for each row execute function gateway.require_provider();
