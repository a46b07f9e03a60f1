import type { Criterion, Initiative } from '#initiatives/contract'
import type { Progress } from '#records'
import type { Brief } from './contract.ts'

const staleDays = 14
const dayMs = 86_400_000
const maxListed = 50

/** What moved since the last stand-up, from the records alone. */
export function makeBrief(
  initiative: Initiative,
  progress: Progress,
  lastEnd: Date | null,
  now: Date,
): Brief {
  const since = lastEnd?.toISOString() ?? null
  const isSince = (time: string): boolean => since === null || time >= since
  const { tickets, deployments, devlogs } = progress
  return {
    since,
    criteria: initiative.criteria.map((criterion) => ({
      id: criterion.id,
      text: criterion.text,
      confidence: criterion.confidence,
      before: confidenceAt(criterion, since),
      updated_at: criterion.updated_at,
      is_stale: now.getTime() - Date.parse(lastSaid(criterion)) > staleDays * dayMs,
    })),
    tickets: { ...tickets, recent: listed(tickets.recent, ({ id }) => `/tickets/${id}`) },
    deployments: { ...deployments, recent: listed(deployments.recent, () => '/deployments') },
    devlogs: { ...devlogs, recent: listed(devlogs.recent, ({ id }) => `/devlogs/${id}`) },
    decisions: initiative.decisions
      .filter(({ decided_at }) => isSince(decided_at))
      .slice(0, maxListed)
      .map(({ id, title, decided_at }) => ({
        ...{ id, title, at: decided_at },
        url: `/initiatives/${initiative.slug}?decision=${id}`,
      })),
    findings: initiative.findings.slice(-maxListed).map(({ id, text, source, url, created_at }) => ({
      ...{ id, text, source, url },
      is_new: isSince(created_at),
    })),
    open_questions: initiative.open_questions
      .filter(({ answered_at }) => answered_at === null)
      .slice(-maxListed)
      .map(({ id, text, category }) => ({ id, text, category })),
  }
}

/** The confidence as it was then; what it is now where nothing changed since. */
function confidenceAt({ history, confidence }: Criterion, since: string | null): number | null {
  if (since === null) return null
  const first = history.find(({ created_at }) => created_at > since)
  return first ? first.before : confidence
}

/** When somebody last said how sure they are. */
const lastSaid = ({ history, updated_at }: Criterion): string => history.at(-1)?.created_at ?? updated_at

function listed(
  rows: readonly { id: string; title: string; at: Date }[],
  url: (row: { id: string }) => string,
): Brief['tickets']['recent'] {
  return rows.map(({ id, title, at }) => ({ id, title, url: url({ id }), at: at.toISOString() }))
}
