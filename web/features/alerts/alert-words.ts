import type { Alert, AlertKind, AlertSeverity } from '#limits/contract'
import type { Tone } from '../../ui/badge.tsx'

export const kindNames: Record<AlertKind, string> = {
  spend: 'Spend above a sum',
  budget: 'Share of a limit used',
  anomaly: 'Unusual spend',
  provider_errors: 'Provider fails',
  provider_latency: 'Provider is slow',
  provider_key: 'Provider key stopped working',
  unpriced_model: 'Model without a price',
  service_down: 'Service down',
  approval_waiting: 'Statement waits for approval',
  run_waiting: 'Agent waits for a person',
  run_failed: 'Run of an agent failed',
  deployment_failed: 'Deployment failed',
  backup_failed: 'Backup failed or missing',
  disk: 'Disk nearly full',
}

export const severityNames: Record<AlertSeverity, string> = {
  info: 'Info',
  warning: 'Warning',
  error: 'Error',
  critical: 'Critical',
}

export const severityTones: Record<AlertSeverity, Tone> = {
  info: 'neutral',
  warning: 'accent',
  error: 'danger',
  critical: 'danger',
}

/** What an alert waits for, in one line. */
export function conditionOf({ kind, config }: Pick<Alert, 'kind' | 'config'>): string {
  const value = (name: string): string => plainText(config[name])
  const list = (name: string, all: string): string => {
    const names = config[name]
    return Array.isArray(names) && names.length > 0 ? names.join(', ') : all
  }
  const after = Number(config['minutes'] ?? 0) > 0 ? `for ${value('minutes')} minutes` : 'at once'
  const conditions: Record<AlertKind, () => string> = {
    spend: () => `$${value('amount')} per ${value('window')}, ${subjectText(config['subject'])}`,
    budget: () => `${list('at', '')} % of a limit`,
    anomaly: () =>
      `${value('sensitivity')} sensitivity, from $${value('min_amount')} more, ${subjectText(config['subject'])}`,
    provider_errors: () =>
      `${value('share')} % of at least ${value('min_requests')} requests in ${value('minutes')} min, ${value('provider') || 'any provider'}`,
    provider_latency: () =>
      `p95 of ${value('metric') === 'ttft' ? 'the first token' : 'the duration'} above ${value('p95_ms')} ms, ${value('model') || value('provider') || 'any provider'}`,
    provider_key: () => `refused ${value('failures')} times in a row`,
    unpriced_model: () => 'requests whose cost is not known',
    service_down: () => list('services', 'any service'),
    approval_waiting: () => after,
    run_waiting: () => after,
    run_failed: () => list('agents', 'any agent'),
    deployment_failed: () => `${list('services', 'any service')}, ${list('environments', 'any environment')}`,
    backup_failed: () =>
      config['max_age_hours'] === null
        ? 'a failed backup'
        : `failed, or none for ${value('max_age_hours')} hours`,
    disk: () => `less than ${value('min_free_percent')} % free`,
  }
  return conditions[kind]()
}

function subjectText(subject: unknown): string {
  const { type, id = '' } = (subject ?? { type: 'group' }) as { type: string; id?: string }
  if (type === 'group') return 'whole group'
  if (type === 'api_key') return 'one API key'
  if (type === 'tag') return `tag ${id}`
  return type === 'user' ? 'one person' : id
}

/** A text or a number; anything else is shown as nothing. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
