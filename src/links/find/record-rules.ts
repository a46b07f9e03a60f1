import { sql } from 'kysely'
import type { Rule } from './rule.ts'

/** How soon after a deployment an incident is taken for its effect. */
const surely = sql`interval '15 minutes'`
const perhaps = sql`interval '60 minutes'`

/** Deployments, incidents, services, runs and SQL changes. */
export const recordRules: readonly Rule[] = [
  {
    ...{ from: 'deployment', to: 'commit', relation: 'deploys', how: 'exact' },
    ends: { from: 'd' },
    // A shortened hash stands for the commit that begins with it.
    find: (isChanged) => sql`
      select d.group_id, d.id as from_id, coalesce(c.id, d.commit) as to_id,
        'The deployment names commit ' || left(d.commit, 7) || '.' as evidence
      from links.deployments d
      left join lateral (
        select id from links.commits
        where group_id = d.group_id and length(d.commit) between 7 and 39 and id >= d.commit and id < d.commit || 'g'
        order by id limit 1
      ) c on true
      where d.commit is not null and d.commit ~ '^[0-9a-f]{7,64}$' and ${isChanged}`,
  },
  {
    ...{ from: 'deployment', to: 'service', relation: 'of', how: 'exact' },
    ends: { from: 'd', to: 's' },
    find: (isChanged) => sql`
      select d.group_id, d.id as from_id, s.id as to_id, 'The deployment names the service.' as evidence
      from links.deployments d join links.services s on s.group_id = d.group_id and s.name = d.service
      where ${isChanged}`,
  },
  {
    ...{ from: 'deployment', to: 'incident', relation: 'repairs', how: 'exact' },
    ends: { from: 'd' },
    find: (isChanged) => sql`
      select d.group_id, d.id as from_id, i.id as to_id, 'The deployment names the incident that it repairs.' as evidence
      from links.deployments d join links.incidents i on i.group_id = d.group_id and i.id = d.incident_id
      where ${isChanged}`,
  },
  {
    ...{ from: 'incident', to: 'service', relation: 'affects', how: 'exact' },
    ends: { from: 'i' },
    find: (isChanged) => sql`
      select i.group_id, i.id as from_id, i.service_id as to_id, 'The incident names the service.' as evidence
      from links.incidents i where ${isChanged}`,
  },
  {
    ...{ from: 'incident', to: 'deployment', relation: 'caused_by', how: 'exact' },
    ends: { from: 'i' },
    find: (isChanged) => sql`
      select i.group_id, i.id as from_id, i.deployment_id as to_id,
        'The incident names the deployment that caused it.' as evidence
      from links.incidents i where i.deployment_id is not null and ${isChanged}`,
  },
  {
    ...{ from: 'incident', to: 'deployment', relation: 'caused_by', how: 'inferred' },
    ends: { from: 'i', to: 'd' },
    find: (isChanged) => sql`
      select i.group_id, i.id as from_id, d.id as to_id,
        format('Opened %s minutes after the deployment of %s ended.',
          floor(extract(epoch from i.opened_at - d.finished_at) / 60), d.service) as evidence,
        case when i.opened_at - d.finished_at <= ${surely} then 0.7 else 0.5 end as confidence
      from links.incidents i
      join links.deployments d on d.group_id = i.group_id and d.service = i.service
        and d.finished_at <= i.opened_at and d.finished_at > i.opened_at - ${perhaps}
      where i.deployment_id is null and ${isChanged}`,
  },
  {
    ...{ from: 'run', to: 'ticket', relation: 'works_on', how: 'exact' },
    ends: { from: 'r' },
    find: (isChanged) => sql`
      select r.group_id, r.id as from_id, t.id as to_id, 'The run was started for the ticket.' as evidence
      from links.runs r join links.tickets t on t.group_id = r.group_id and t.id = r.ticket_id
      where ${isChanged}`,
  },
  {
    ...{ from: 'run', to: 'run', relation: 'started_by', how: 'exact' },
    ends: { from: 'r' },
    find: (isChanged) => sql`
      select r.group_id, r.id as from_id, r.parent_id as to_id, 'An agent started the run in its own run.' as evidence
      from links.runs r where r.parent_id is not null and ${isChanged}`,
  },
  {
    ...{ from: 'sql_change', to: 'run', relation: 'made_by', how: 'exact' },
    ends: { from: 'q' },
    find: (isChanged) => sql`
      select q.group_id, q.id as from_id, r.id as to_id, 'The audit log names the run that asked for it.' as evidence
      from links.sql_changes q join links.runs r on r.group_id = q.group_id and r.id = q.run_id
      where ${isChanged}`,
  },
]
