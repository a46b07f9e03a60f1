-- Who left a group, or was removed from it, comes back by an invitation and not by signing in.
create table access.departures (
  group_id uuid not null references access.groups on delete cascade,
  user_id uuid not null references access.users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (group_id, user_id)
);
create index departures_by_user on access.departures (user_id);
