import { sql, type RawBuilder } from 'kysely'
import type { Rule } from './rule.ts'

const uuidForm = sql`'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'`
const addressForm = sql`'https?://[^[:space:]<>()"'']+'`

/** Whether a branch names a ticket: its key, its number, or the beginning of its ID. */
const names = (branch: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  t.key = links.key_in(${branch}) or t.number = links.number_in(${branch}) or t.short_id = links.short_id_in(${branch}))`

/** A number alone may be that of another repository. */
const sureness = (branch: RawBuilder<unknown>, repository: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case when t.short_id = links.short_id_in(${branch}) then 0.95 when t.key = links.key_in(${branch}) then 0.9
    when t.repository = ${repository} then 0.8 else 0.5 end`

/** Tickets, decisions, stand-ups and initiatives: what work is done for. */
export const workRules: readonly Rule[] = [
  {
    ...{ from: 'session', to: 'ticket', relation: 'works_on', how: 'exact' },
    ends: { from: 's' },
    find: (isChanged) => sql`
      select s.group_id, s.id as from_id, t.id as to_id, 'The first prompt names the ticket.' as evidence
      from links.sessions s
      cross join lateral regexp_matches(left(s.first_prompt, 20000), ${uuidForm}, 'g') as named (ids)
      join links.tickets t on t.group_id = s.group_id and t.id = named.ids[1]::uuid
      where ${isChanged}
      union
      select s.group_id, s.id, t.id, 'The first prompt has the address of the ticket.'
      from links.sessions s
      cross join lateral regexp_matches(left(s.first_prompt, 20000), ${addressForm}, 'g') as named (addresses)
      join links.tickets t on t.group_id = s.group_id and t.url = rtrim(named.addresses[1], '.,;:!?')
      where ${isChanged}`,
  },
  {
    ...{ from: 'session', to: 'ticket', relation: 'works_on', how: 'inferred' },
    ends: { from: 's', to: 't' },
    find: (isChanged) => sql`
      select s.group_id, s.id as from_id, t.id as to_id,
        format('The branch %s of the session names the ticket.', s.branch) as evidence,
        ${sureness(sql`s.branch`, sql`s.folder`)} as confidence
      from links.sessions s
      join links.tickets t on t.group_id = s.group_id and ${names(sql`s.branch`)}
        and s.last_at > t.created_at - interval '1 day'
        and s.last_at < coalesce(t.closed_at, now()) + interval '30 days'
      where s.branch is not null and ${isChanged}`,
  },
  {
    ...{ from: 'pull_request', to: 'ticket', relation: 'resolves', how: 'exact' },
    ends: { from: 'p', to: 't' },
    find: (isChanged) => sql`
      select p.group_id, p.id as from_id, t.id as to_id, 'The pull request says that it closes the ticket.' as evidence
      from links.pull_requests p join links.tickets t on t.group_id = p.group_id and t.url = any(p.issues)
      where ${isChanged}`,
  },
  {
    ...{ from: 'pull_request', to: 'ticket', relation: 'resolves', how: 'inferred' },
    ends: { from: 'p', to: 't' },
    find: (isChanged) => sql`
      select p.group_id, p.id as from_id, t.id as to_id,
        format('The branch %s of the pull request names the ticket.', p.branch) as evidence,
        ${sureness(sql`p.branch`, sql`links.last_part(p.repository)`)} as confidence
      from links.pull_requests p
      join links.tickets t on t.group_id = p.group_id and ${names(sql`p.branch`)}
        and t.created_at < coalesce(p.merged_at, now())
      where p.branch is not null and ${isChanged}`,
  },
  {
    ...{ from: 'ticket', to: 'initiative', relation: 'belongs_to', how: 'exact' },
    ends: { from: 't' },
    find: (isChanged) => sql`
      select t.group_id, t.id as from_id, i.id as to_id, 'The ticket names the initiative.' as evidence
      from links.tickets t join links.initiatives i on i.group_id = t.group_id and i.id = t.initiative_id
      where ${isChanged}`,
  },
  {
    ...{ from: 'ticket', to: 'decision', relation: 'follows_from', how: 'exact' },
    ends: { from: 't' },
    find: (isChanged) => sql`
      select t.group_id, t.id as from_id, n.id as to_id, 'The description of the ticket names the decision.' as evidence
      from links.tickets t
      cross join lateral regexp_matches(left(t.description, 20000), ${uuidForm}, 'g') as named (ids)
      join links.decisions n on n.group_id = t.group_id and n.id = named.ids[1]::uuid
      where ${isChanged}`,
  },
  {
    ...{ from: 'ticket', to: 'decision', relation: 'follows_from', how: 'inferred' },
    ends: { from: 't', to: 'n' },
    // The newest decision before the ticket.
    find: (isChanged) => sql`
      select t.group_id, t.id as from_id, n.id as to_id,
        format('Created %s hours after the decision, in the same initiative.',
          floor(extract(epoch from t.created_at - n.decided_at) / 3600)) as evidence,
        case when t.created_at - n.decided_at <= interval '2 days' then 0.6 else 0.4 end as confidence
      from links.tickets t
      join links.decisions n on n.group_id = t.group_id and n.initiative_id = t.initiative_id
        and n.decided_at <= t.created_at and n.decided_at > t.created_at - interval '14 days'
      where ${isChanged} and not exists (
        select from links.decisions m where m.initiative_id = n.initiative_id
          and (m.decided_at, m.id) > (n.decided_at, n.id) and m.decided_at <= t.created_at)`,
  },
  {
    ...{ from: 'decision', to: 'standup', relation: 'made_in', how: 'exact' },
    ends: { from: 'n' },
    find: (isChanged) => sql`
      select n.group_id, n.id as from_id, u.id as to_id, 'The decision was approved in the stand-up.' as evidence
      from links.decisions n join links.standups u on u.group_id = n.group_id and u.id = n.standup_id
      where ${isChanged}`,
  },
  {
    ...{ from: 'decision', to: 'initiative', relation: 'belongs_to', how: 'exact' },
    ends: { from: 'n' },
    find: (isChanged) => sql`
      select n.group_id, n.id as from_id, n.initiative_id as to_id, 'The decision is one of the initiative.' as evidence
      from links.decisions n where ${isChanged}`,
  },
  {
    ...{ from: 'decision', to: 'decision', relation: 'supersedes', how: 'exact' },
    ends: { from: 'n' },
    find: (isChanged) => sql`
      select n.group_id, n.id as from_id, n.supersedes as to_id, 'The decision replaces the other.' as evidence
      from links.decisions n where n.supersedes is not null and ${isChanged}`,
  },
  {
    ...{ from: 'standup', to: 'initiative', relation: 'about', how: 'exact' },
    ends: { from: 'u' },
    find: (isChanged) => sql`
      select u.group_id, u.id as from_id, u.initiative_id as to_id, 'The stand-up is one of the initiative.' as evidence
      from links.standups u where ${isChanged}`,
  },
  {
    ...{ from: 'session', to: 'initiative', relation: 'belongs_to', how: 'exact' },
    ends: { from: 's', to: 'i' },
    find: (isChanged) => sql`
      select i.group_id, s.id as from_id, i.id as to_id, 'The session is linked on the page of the initiative.' as evidence
      from links.initiatives i
      join links.initiative_links l on l.initiative_id = i.id and l.kind = 'transcript'
      join links.sessions s on s.group_id = i.group_id and s.id::text = l.target
      where ${isChanged}`,
  },
  {
    ...{ from: 'deployment', to: 'initiative', relation: 'belongs_to', how: 'exact' },
    ends: { from: 'd', to: 'i' },
    find: (isChanged) => sql`
      select i.group_id, d.id as from_id, i.id as to_id,
        'The deployment is linked on the page of the initiative.' as evidence
      from links.initiatives i
      join links.initiative_links l on l.initiative_id = i.id and l.kind = 'deployment'
      join links.deployments d on d.group_id = i.group_id and d.id::text = l.target
      where ${isChanged}`,
  },
]
