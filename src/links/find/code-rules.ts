import { sql } from 'kysely'
import type { Rule } from './rule.ts'

const shortOf = (column: string) => sql`left(${sql.ref(column)}, 7)`
/** Branches that everybody works on say nothing about one piece of work. */
const shared = sql`('main', 'master', 'develop', 'trunk', 'head')`

/** Commits, pull requests and the sessions in which they were written. */
export const codeRules: readonly Rule[] = [
  {
    ...{ from: 'commit', to: 'pull_request', relation: 'part_of', how: 'exact' },
    ends: { to: 'p' },
    find: (isChanged) => sql`
      select p.group_id, p.merge_sha as from_id, p.id as to_id,
        'The pull request was merged as ' || ${shortOf('p.merge_sha')} || '.' as evidence
      from links.pull_requests p where p.merge_sha is not null and ${isChanged}
      union
      select p.group_id, p.head_sha, p.id, 'The last commit of the pull request is ' || ${shortOf('p.head_sha')} || '.'
      from links.pull_requests p
      where p.head_sha is not null and p.head_sha is distinct from p.merge_sha and ${isChanged}`,
  },
  {
    ...{ from: 'commit', to: 'pull_request', relation: 'part_of', how: 'inferred' },
    ends: { from: 'c', to: 'p' },
    find: (isChanged) => sql`
      select c.group_id, c.id as from_id, p.id as to_id,
        case when c.branch = p.branch then 'Pushed to ' || c.branch || ', the branch of the pull request.'
          else 'The message of the commit names #' || p.number || '.' end as evidence,
        case when c.branch = p.branch then 0.9 else 0.95 end as confidence
      from links.commits c
      join links.pull_requests p on p.group_id = c.group_id and p.repository = c.repository
        and (c.message like '%(#' || p.number || ')%'
          or (c.branch = p.branch and lower(c.branch) not in ${shared}
            and c.made_at <= coalesce(p.merged_at, now()) + interval '1 day'
            and c.made_at > coalesce(p.opened_at, p.stated_at) - interval '60 days'))
      where c.id is distinct from p.merge_sha and c.id is distinct from p.head_sha and ${isChanged}`,
  },
  {
    ...{ from: 'pull_request', to: 'session', relation: 'written_in', how: 'exact' },
    ends: { to: 's' },
    find: (isChanged) => sql`
      select s.group_id, page as from_id, s.id as to_id,
        'The session recorded that it opened the pull request.' as evidence
      from links.sessions s
      cross join lateral jsonb_to_recordset(s.links) as said (target text, value text)
      cross join lateral regexp_replace(
        regexp_replace(said.value, '[?#].*$', ''), '/([0-9]{1,10})/(files|commits|checks|changes|diffs)(/.*)?$', '/\\1') as page
      where said.target = 'pull_request' and page ~ '^https?://.*/[0-9]{1,10}$' and octet_length(page) <= 1000
        and ${isChanged}`,
  },
  {
    ...{ from: 'pull_request', to: 'session', relation: 'written_in', how: 'inferred' },
    ends: { from: 'p', to: 's' },
    find: (isChanged) => sql`
      select p.group_id, p.id as from_id, s.id as to_id,
        format('Same branch %s%s, and the session was at work before the pull request was merged.', s.branch,
          case when s.folder = links.last_part(p.repository) then ' and folder ' || s.folder else '' end) as evidence,
        case when s.folder = links.last_part(p.repository) then 0.85 else 0.6 end as confidence
      from links.pull_requests p
      join links.sessions s on s.group_id = p.group_id and s.branch = p.branch
        and s.last_at > coalesce(p.opened_at, p.stated_at) - interval '30 days'
        and s.last_at <= coalesce(p.merged_at, now()) + interval '1 day'
      where lower(p.branch) not in ${shared} and ${isChanged}`,
  },
  {
    ...{ from: 'commit', to: 'session', relation: 'written_in', how: 'inferred' },
    ends: { from: 'c', to: 's' },
    find: (isChanged) => sql`
      select c.group_id, c.id as from_id, s.id as to_id,
        format('Committed while the session was at work in folder %s%s.', s.folder,
          case when c.branch = s.branch then ' on branch ' || s.branch else '' end) as evidence,
        case when c.branch = s.branch then 0.8 else 0.6 end as confidence
      from links.commits c
      join links.sessions s on s.group_id = c.group_id and s.folder = links.last_part(c.repository)
        and s.started_at <= c.made_at and s.last_at > c.made_at - interval '10 minutes'
        and s.last_at < c.made_at + interval '7 days'
      where ${isChanged}`,
  },
  {
    ...{ from: 'session', to: 'session', relation: 'started_by', how: 'exact' },
    ends: { from: 's', to: 'o' },
    find: (isChanged) => sql`
      select s.group_id, s.id as from_id, o.id as to_id, 'The session is a subagent of the other.' as evidence
      from links.sessions s
      join links.sessions o on o.group_id = s.group_id and o.assistant = s.assistant and o.external_id = s.parent_key
      where o.id <> s.id and ${isChanged}`,
  },
  {
    ...{ from: 'session', to: 'session', relation: 'continues', how: 'exact' },
    ends: { from: 's', to: 'o' },
    find: (isChanged) => sql`
      select s.group_id, s.id as from_id, o.id as to_id, 'The session repeats the beginning of the other.' as evidence
      from links.sessions s
      join links.sessions o on o.group_id = s.group_id and o.assistant = s.assistant and o.external_id = s.fork_key
      where o.id <> s.id and ${isChanged}`,
  },
]
