import type { AttentionSource, AttentionThing } from '#kernel/attention'
import { firingAlerts } from './firing-store.ts'
import type { Db, NearEnd, Sources } from './kind.ts'
import { troubledServices } from './kinds/services.ts'
import { findNamed } from './kinds/subject.ts'
import { pricePath, unpricedModels, unpricedSince } from './kinds/unpriced.ts'
import { waitText, waitingApprovals, waitingRuns } from './kinds/waiting.ts'
import { dollars, plural, short } from './words.ts'

interface AttentionDeps {
  db: Db
  sources: Pick<Sources, 'hasPrice'>
  nearEnd: ((groupId: string) => Promise<NearEnd[]>) | undefined
  now: () => Date
}

/** Alerts ask these questions for groups that set them up; what needs attention is shown to every group. */
export const attentionSources = (deps: AttentionDeps): AttentionSource[] => [
  services(deps),
  approvals(deps),
  runs(deps),
  budgets(deps),
  unpriced(deps),
  firing(deps),
]

const services = ({ db }: AttentionDeps): AttentionSource => ({
  kind: 'service_down',
  severity: 'critical',
  needs: 'read',
  several: (things) =>
    things.every(({ severity }) => severity === undefined)
      ? { title: `${things.length} services are down`, path: '/services?state=down' }
      : { title: `${things.length} services are down or have an incident`, path: '/services' },
  async find(groupId) {
    const rows = await troubledServices(db, groupId, [])
    return rows
      .filter(({ state }) => state !== 'maintenance')
      .map((row) => ({
        name: row.name,
        title: row.state === 'down' ? `${row.name} is down` : `${row.name} has an incident`,
        detail: row.cause ? short(row.cause, 200) : '',
        path: `/services/${encodeURIComponent(row.name)}`,
        since: row.opened_at ?? row.state_since,
        ...(row.state !== 'down' && { severity: 'error' as const }),
      }))
  },
})

const approvals = ({ db, now }: AttentionDeps): AttentionSource => ({
  kind: 'approval_waiting',
  severity: 'warning',
  needs: 'sql',
  roles: ['owner', 'admin'],
  several: ({ length }) => ({ title: `${length} statements wait for approval`, path: '/sql/approvals' }),
  async find(groupId) {
    const rows = await waitingApprovals(db, groupId, now(), now())
    return rows.map(({ id, database, operations, agent, reason, created_at: since }) => ({
      name: `${operations.join(', ')} in ${database}`,
      title: `${operations.join(', ')} in ${database} waits for approval`,
      detail: `Asked by ${agent}${reason === '' ? '' : `: ${short(reason, 200)}`}`,
      path: `/sql/approvals/${id}`,
      since,
    }))
  },
})

/** A run that waits for an approval is there as the approval. */
const runs = ({ db, now }: AttentionDeps): AttentionSource => ({
  kind: 'run_waiting',
  severity: 'warning',
  needs: 'agents',
  several: ({ length }) => ({
    title: `${length} runs of agents wait for a person`,
    path: '/agents/runs?status=waiting',
  }),
  async find(groupId) {
    const rows = await waitingRuns(db, groupId, now())
    return rows
      .filter(({ waiting_for: wait }) => wait?.kind !== 'approval')
      .map(({ id, agent, waiting_for: wait, updated_at: since }) => ({
        name: agent,
        title: `${agent} waits for a person`,
        detail: waitText(wait),
        path: `/agents/runs/${id}`,
        since,
      }))
  },
})

const budgets = ({ db, nearEnd }: AttentionDeps): AttentionSource => ({
  kind: 'budget',
  severity: 'warning',
  needs: 'read',
  several: ({ length }) => ({ title: `${length} limits are used up or nearly`, path: '/limits' }),
  async find(groupId) {
    const limits = ((await nearEnd?.(groupId)) ?? []).slice(0, maxBudgets)
    return Promise.all(limits.map(async (limit) => budgetThing(limit, await whose(db, groupId, limit))))
  },
})

const maxBudgets = 20

async function whose(db: Db, groupId: string, { subject: { type, id } }: NearEnd): Promise<string> {
  if (type === 'group' || id === null) return 'The group'
  const isNamed = type === 'api_key' || type === 'user'
  const name = (isNamed && !id.startsWith('label:') && (await findNamed(db, groupId, { type, id }))) || id
  return type === 'api_key' ? `The key “${name}”` : name
}

const nouns: Record<string, string> = { cost: 'budget', tokens: 'tokens', requests: 'requests' }
const spans: Record<string, string> = { day: 'today’s', week: 'this week’s', month: 'this month’s' }

function budgetThing(
  { id, metric, window, percent, used, amount, resetsAt }: NearEnd,
  name: string,
): AttentionThing {
  const show = (value: string): string => (metric === 'cost' ? dollars(value) : value)
  return {
    name,
    title: `${name} has used ${percent} % of ${spans[window ?? ''] ?? 'the'} ${nouns[metric] ?? metric}`,
    detail: `${show(used)} of ${show(amount)}${resetsAt === null ? '' : `, until ${utc(resetsAt)}`}`,
    path: `/limits?limit=${id}`,
    since: null,
    ...(percent >= 100 && { severity: 'error' as const }),
  }
}

const utc = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const unpriced = ({ db, sources, now }: AttentionDeps): AttentionSource => ({
  kind: 'unpriced_model',
  severity: 'warning',
  needs: 'admin',
  several: ({ length }) => ({ title: `${length} models have no price`, path: '/usage/prices' }),
  async find(groupId) {
    const rows = await unpricedModels(db, groupId, unpricedSince(now()))
    return rows
      .filter(({ provider, model }) => !sources.hasPrice(groupId, provider, model))
      .map(({ model, requests }) => ({
        name: model,
        title: `${model} has no price`,
        detail: `The cost of ${plural(requests, 'request')} in 7 days is not known.`,
        path: pricePath(model),
        since: null,
      }))
  },
})

/** What only alerts know. The other kinds have lines of their own, also where no alert is set up. */
const firing = ({ db }: AttentionDeps): AttentionSource => ({
  kind: 'alert_firing',
  severity: 'warning',
  needs: 'read',
  several: ({ length }) => ({ title: `${length} alerts are firing`, path: '/alerts' }),
  async find(groupId) {
    const rows = await firingAlerts(db, groupId, [
      'anomaly',
      'provider_errors',
      'provider_latency',
      'backup_failed',
      'disk',
    ])
    return rows.map(({ name, title, text, path, severity, fired_at: since }) => ({
      ...{ name, title, path, severity, since },
      detail: short(text, 200),
    }))
  },
})
