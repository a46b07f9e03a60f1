import { sql } from 'kysely'
import type { Db, Sources } from './kind.ts'
import { kinds } from './kinds/index.ts'
import { unpricedModels } from './kinds/unpriced.ts'
import type { AlertKind, RecommendedAlert } from './shapes.ts'
import { dollars } from './words.ts'

const days = 14
const dayMs = 24 * 3_600_000

interface RecommendDeps {
  db: Db
  sources: Sources
  firstGroup(): Promise<string>
  now: () => Date
}

type Draft = Pick<RecommendedAlert, 'name' | 'kind' | 'config' | 'reason' | 'would_have_fired'>

/** Alerts that most groups want, with what each would have done in the last two weeks where that is cheap to know. */
export function createRecommend({ db, sources, firstGroup, now }: RecommendDeps) {
  return async function recommend(groupId: string): Promise<RecommendedAlert[]> {
    const since = new Date(now().getTime() - days * dayMs)
    const [counts, costs, unpriced, existing] = await Promise.all([
      countLately(db, groupId, since),
      dailyCosts(db, groupId, since),
      unpricedModels(db, groupId, since),
      existingKinds(db, groupId),
    ])
    const withoutPrice = unpriced.filter(({ provider, model }) => !sources.hasPrice(groupId, provider, model))
    const drafts = [
      spendDraft(costs),
      ...draftsOf(counts, withoutPrice.length),
      ...(groupId === (await firstGroup()) ? installationDrafts : []),
    ]
    return drafts.map((draft) => ({
      ...draft,
      severity: kinds[draft.kind].severity,
      days,
      exists: existing.has(draft.kind),
    }))
  }
}

/** Twice the usual day, rounded up to 1, 2 or 5 with zeros; at least $10. */
export function spendDraft(costs: readonly number[]): Draft {
  const used = costs.filter((cost) => cost > 0).toSorted((a, b) => a - b)
  const usual = used[Math.floor(used.length / 2)] ?? 0
  const amount = roundUp(Math.max(10, usual * 2))
  const reason = usual === 0 ? 'Nothing was spent lately.' : `The usual day costs ${dollars(String(usual))}.`
  return {
    name: `Spend of a day above $${amount}`,
    kind: 'spend',
    config: { subject: { type: 'group' }, window: 'day', amount: String(amount) },
    reason,
    would_have_fired: costs.filter((cost) => cost >= amount).length,
  }
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10
  return step * power
}

function draftsOf(counts: Counts, unpriced: number): Draft[] {
  const draft = (
    kind: AlertKind,
    name: string,
    reason: string,
    fired: number | null,
    config = {},
  ): Draft => ({
    ...{ kind, name, reason, config },
    would_have_fired: fired,
  })
  return [
    draft('anomaly', 'Unusual spend', 'An hour far above the same hour of four weeks.', null, {
      subject: { type: 'group' },
      sensitivity: 'medium',
      min_amount: '5',
    }),
    draft('provider_errors', 'A provider fails', '20 % of at least 10 requests in 5 minutes.', null),
    draft('provider_key', 'A provider key stopped working', 'Refused twice in a row.', null),
    draft('unpriced_model', 'A model without a price', 'Its cost is not known.', unpriced),
    draft('service_down', 'A service is down', 'Down, or with an open incident.', counts.incidents),
    draft(
      'approval_waiting',
      'A statement waits for approval',
      'It expires after 24 hours.',
      counts.approvals,
    ),
    draft('run_waiting', 'An agent waits for a person', 'The run stands still until then.', null),
    draft('run_failed', 'A run of an agent failed', 'Nobody watches every run.', counts.runs),
    draft('deployment_failed', 'A deployment failed', 'From CI or a webhook.', counts.deployments),
  ]
}

const installationDrafts: readonly Draft[] = [
  {
    name: 'Backup failed or missing',
    kind: 'backup_failed',
    config: { max_age_hours: 48 },
    reason: 'A failed backup, or none for two days.',
    would_have_fired: null,
  },
  {
    name: 'Disk nearly full',
    kind: 'disk',
    config: { min_free_percent: 10 },
    reason: 'Less than 10 % free where a server keeps its data.',
    would_have_fired: null,
  },
]

interface Counts {
  incidents: number
  approvals: number
  runs: number
  deployments: number
}

export async function countLately(db: Db, groupId: string, since: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from alerts.incidents where group_id = ${groupId} and opened_at >= ${since}) as incidents,
      (select count(*)::int from alerts.approvals where group_id = ${groupId} and created_at >= ${since}) as approvals,
      (select count(*)::int from alerts.runs
        where group_id = ${groupId} and status = 'failed' and finished_at >= ${since}) as runs,
      (select count(*)::int from alerts.deployments
        where group_id = ${groupId} and status = 'failed' and at >= ${since}) as deployments`.execute(db)
  return rows[0] ?? { incidents: 0, approvals: 0, runs: 0, deployments: 0 }
}

export async function dailyCosts(db: Db, groupId: string, since: Date): Promise<number[]> {
  const { rows } = await sql<{ cost: number }>`
    select sum(cost)::float8 as cost from alerts.usage_days
    where group_id = ${groupId} and day >= ${since.toISOString().slice(0, 10)}::date group by day`.execute(db)
  return rows.map(({ cost }) => cost)
}

async function existingKinds(db: Db, groupId: string): Promise<Set<AlertKind>> {
  const rows = await db
    .selectFrom('alerts.rules')
    .select('kind')
    .distinct()
    .where('group_id', '=', groupId)
    .execute()
  return new Set(rows.map(({ kind }) => kind))
}
