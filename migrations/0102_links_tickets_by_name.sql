-- outside a transaction
-- What a branch names a ticket by, written as in the view links.tickets, so that either end of a link looks the other up.
drop index concurrently if exists records.tickets_by_key;
create index concurrently tickets_by_key on records.tickets (group_id, (upper(coalesce(
  substring(external_id from '^([A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,7})$'),
  substring(url from '/([A-Za-z][A-Za-z0-9]{1,9}-[0-9]{1,7})$')))));
drop index concurrently if exists records.tickets_by_number;
create index concurrently tickets_by_number on records.tickets (group_id, (coalesce(
  substring(url from '/issues/([0-9]{1,7})$'), substring(external_id from '^#?([0-9]{1,7})$'))));
drop index concurrently if exists records.tickets_by_start_of_id;
create index concurrently tickets_by_start_of_id on records.tickets (group_id, (left(id::text, 8)));
drop index concurrently if exists transcripts.sessions_by_key_in_branch;
create index concurrently sessions_by_key_in_branch on transcripts.sessions (links.key_in(git_branch))
  where links.key_in(git_branch) is not null;
drop index concurrently if exists transcripts.sessions_by_number_in_branch;
create index concurrently sessions_by_number_in_branch on transcripts.sessions (links.number_in(git_branch))
  where links.number_in(git_branch) is not null;
drop index concurrently if exists transcripts.sessions_by_short_id_in_branch;
create index concurrently sessions_by_short_id_in_branch on transcripts.sessions (links.short_id_in(git_branch))
  where links.short_id_in(git_branch) is not null;
drop index concurrently if exists webhooks.pull_requests_by_key_in_branch;
create index concurrently pull_requests_by_key_in_branch on webhooks.pull_requests (links.key_in(branch))
  where links.key_in(branch) is not null;
drop index concurrently if exists webhooks.pull_requests_by_number_in_branch;
create index concurrently pull_requests_by_number_in_branch on webhooks.pull_requests (links.number_in(branch))
  where links.number_in(branch) is not null;
drop index concurrently if exists webhooks.pull_requests_by_short_id_in_branch;
create index concurrently pull_requests_by_short_id_in_branch on webhooks.pull_requests (links.short_id_in(branch))
  where links.short_id_in(branch) is not null;
