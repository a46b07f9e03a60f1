import type { DeliveryStatus, HookKind } from '#webhooks/contract'
import type { Tone } from '../../../ui/badge.tsx'

interface KindWords {
  name: string
  /** What it reports. */
  reports: string
  /** What to click at the sender, in order. */
  steps: readonly string[]
}

export const kindWords: Record<HookKind, KindWords> = {
  github: {
    name: 'GitHub',
    reports: 'Deployments, workflow runs, issues, pull requests and pushes',
    steps: [
      'Open the repository or organization, then Settings, Webhooks, Add webhook.',
      'Payload URL: the address. Content type: application/json. Secret: the secret.',
      'Choose “Let me select individual events”: deployment statuses, workflow runs, issues, pull requests, pushes.',
      'Save. GitHub sends a ping, which appears under Deliveries as ignored.',
    ],
  },
  gitlab: {
    name: 'GitLab',
    reports: 'Deployments, pipelines, issues and pushes',
    steps: [
      'Open the project or group, then Settings, Webhooks, Add new webhook.',
      'URL: the address. Secret token: the secret.',
      'Trigger: deployment events, pipeline events, issues events, push events.',
      'Save, then choose Test to send a first delivery.',
    ],
  },
  alertmanager: {
    name: 'Prometheus Alertmanager',
    reports: 'Alerts as incidents of services',
    steps: [
      'Add a receiver with webhook_configs to alertmanager.yml. Its url is the address.',
      'Under http_config, authorization, credentials: the secret.',
      'Alerts need a label that names the service: service, app or job.',
      'Reload Alertmanager.',
    ],
  },
  grafana: {
    name: 'Grafana',
    reports: 'Alerts as incidents of services',
    steps: [
      'Open Alerting, Contact points, Add contact point. Integration: Webhook.',
      'URL: the address. Authorization header scheme: Bearer; credentials: the secret.',
      'Alerts need a label that names the service: service, app or job.',
      'Choose Test, then Save.',
    ],
  },
  generic: {
    name: 'Any program',
    reports: 'Deployments, tickets, alerts, commits and events, signed',
    steps: [
      'Send JSON to the address, one item or an array of at most 100.',
      'X-Signalbox-Timestamp: the time in seconds.',
      'X-Signalbox-Signature: sha256= and the HMAC-SHA256 of timestamp, a full stop and the body.',
    ],
  },
}

export const hookKinds = Object.keys(kindWords) as HookKind[]

export const statusNames: Record<DeliveryStatus, string> = {
  pending: 'Pending',
  processed: 'Processed',
  ignored: 'Ignored',
  failed: 'Failed',
}

export const deliveryStatuses = Object.keys(statusNames) as DeliveryStatus[]

export const statusTones: Record<DeliveryStatus, Tone> = {
  pending: 'info',
  processed: 'success',
  ignored: 'neutral',
  failed: 'danger',
}
