-- Who left a group, or was removed from one, comes back by an invitation and not by signing in.
create table access.departures (
  user_id uuid primary key references access.users on delete cascade,
  created_at timestamptz not null default now()
);
