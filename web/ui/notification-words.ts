import type { NotificationKind, NotificationSeverity, NotificationState } from '#notifications/contract'
import type { Status } from './status-dot.tsx'

export const kindNames: Record<NotificationKind, string> = {
  spend: 'Spend',
  budget: 'Budget',
  anomaly: 'Unusual spend',
  provider_errors: 'Errors of a provider',
  provider_latency: 'Latency of a provider',
  provider_key: 'Provider key',
  unpriced_model: 'Model without a price',
  service_down: 'Service down',
  approval_waiting: 'Approval waiting',
  run_waiting: 'Run waiting',
  run_failed: 'Run failed',
  deployment_failed: 'Deployment failed',
  backup_failed: 'Backup failed',
  disk: 'Disk space',
}

export const kindNameOf = (kind: string): string =>
  (kindNames as Partial<Record<string, string>>)[kind] ?? kind.replaceAll('_', ' ')

export const severityNames: Record<NotificationSeverity, string> = {
  info: 'Info',
  warning: 'Warning',
  error: 'Error',
  critical: 'Critical',
}

interface Shown {
  severity: NotificationSeverity
  state: NotificationState
}

const dots: Record<NotificationSeverity, Status> = {
  info: 'planned',
  warning: 'warning',
  error: 'error',
  critical: 'error',
}

/** What became of it, in a word and a colour. */
export const stateName = ({ severity, state }: Shown): string =>
  state === 'resolved' ? 'Resolved' : severityNames[severity]
export const stateDot = ({ severity, state }: Shown): Status => (state === 'resolved' ? 'ok' : dots[severity])
