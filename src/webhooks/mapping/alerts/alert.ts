import { createHash } from 'node:crypto'
import type { Severity } from '#kernel/events'
import { maxMessage, maxTitle, type AlertChange } from '../change.ts'
import { cleanText, linkAt, serviceName, textAt, timeAt, valueAt } from '../payload.ts'

const severities: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  page: 'critical',
  error: 'error',
  high: 'error',
  warning: 'warning',
  warn: 'warning',
  info: 'info',
  none: 'info',
}

/** Labels that name the service, the most specific first. */
const serviceLabels = ['service', 'service_name', 'app', 'application', 'job']

/** One alert of Alertmanager, or of Grafana, which sends the same fields and more. */
export function alertOf(alert: unknown, receivedStatus: string | null): AlertChange | undefined {
  const startedAt = timeAt(alert, 'startsAt')
  const labels = labelsOf(alert)
  const name = labels['alertname'] ?? null
  const status = textAt(alert, 'status') ?? receivedStatus
  if (startedAt === null || (status !== 'firing' && status !== 'resolved')) return undefined
  const service = serviceLabels.map((label) => serviceName(labels[label] ?? null)).find(Boolean) ?? null
  const fingerprint = textAt(alert, 'fingerprint', 64) ?? hashOf(labels)
  return {
    kind: 'alert',
    // Each time it fires is an alert of its own; repeats and the end of it have the same start.
    externalId: `${fingerprint}/${startedAt.toISOString()}`,
    service,
    state: status,
    severity: severityOf(labels['severity'] ?? ''),
    title: textAt(alert, 'annotations.summary', maxTitle) ?? name ?? 'Alert',
    message:
      textAt(alert, 'annotations.description', maxMessage) ??
      textAt(alert, 'annotations.message', maxMessage) ??
      '',
    startedAt,
    endedAt: status === 'resolved' ? timeAt(alert, 'endsAt') : null,
    metadata: {
      labels,
      url: linkAt(alert, 'generatorURL'),
      runbook: linkAt(alert, 'annotations.runbook_url'),
    },
  }
}

function severityOf(label: string): Severity {
  const name = label.toLowerCase()
  return (Object.hasOwn(severities, name) ? severities[name] : undefined) ?? 'error'
}

const maxLabels = 50

function labelsOf(alert: unknown): Record<string, string> {
  const labels = valueAt(alert, 'labels')
  if (typeof labels !== 'object' || labels === null) return {}
  return Object.fromEntries(
    Object.entries(labels)
      .slice(0, maxLabels)
      .flatMap(([name, value]) => {
        const [key, text] = [cleanText(name, 100), typeof value === 'string' ? cleanText(value, 500) : null]
        return key === null || text === null ? [] : [[key, text]]
      }),
  )
}

function hashOf(labels: Record<string, string>): string {
  const sorted = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16)
}
