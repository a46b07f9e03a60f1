-- Whether a provider is built in is for the code to say: a list of ids here would refuse the keys of the next one. The
-- account says whether its provider is a custom one, whose row is held while the account is added.
alter table vault.provider_accounts add column is_custom boolean not null default false;

update vault.provider_accounts a set is_custom = true
  from gateway.providers p where p.group_id = a.group_id and p.id = a.provider_id;

create or replace function gateway.require_provider() returns trigger language plpgsql as $$
begin
  if new.is_custom then
    perform from gateway.providers where group_id = new.group_id and id = new.provider_id for key share;
    if not found then
      raise foreign_key_violation using message = 'there is no such provider';
    end if;
  end if;
  return new;
end $$;
