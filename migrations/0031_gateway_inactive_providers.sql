-- Built-in providers that a group's owners turned off.
create table gateway.inactive_providers (
  group_id uuid not null references access.groups on delete cascade,
  provider_id text not null,
  primary key (group_id, provider_id)
);

create trigger inactive_providers_changed after insert or update or delete
  on gateway.inactive_providers for each statement execute function gateway.tell_changed();
