-- A stand-up is one to one: the person who started it speaks, and so do these: [{ "user_id", "name" }].
alter table standups.sessions add column invited jsonb not null default '[]';
