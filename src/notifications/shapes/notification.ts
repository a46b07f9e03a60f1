import { z } from 'zod'

/** From lowest to highest. */
export const notificationSeverities = ['info', 'warning', 'error', 'critical'] as const
export const notificationSeverity = z.enum(notificationSeverities)
export type NotificationSeverity = z.infer<typeof notificationSeverity>

export const notificationStates = ['firing', 'resolved'] as const
export const notificationState = z.enum(notificationStates)
export type NotificationState = z.infer<typeof notificationState>

/** What people are notified of: the kinds of alerts. */
export const notificationKinds = [
  'spend',
  'budget',
  'anomaly',
  'provider_errors',
  'provider_latency',
  'provider_key',
  'unpriced_model',
  'service_down',
  'approval_waiting',
  'run_waiting',
  'run_failed',
  'deployment_failed',
  'backup_failed',
  'disk',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Only in the bell: a channel that keeps failing. */
export const channelFailing = 'channel_failing'

export const isAtLeast = (severity: NotificationSeverity, least: NotificationSeverity): boolean =>
  notificationSeverities.indexOf(severity) >= notificationSeverities.indexOf(least)

/** What another part sends: see `send` of the part. */
export interface Notification {
  groupId: string
  alertId: string | null
  /** One of `notificationKinds`. */
  kind: string
  severity: NotificationSeverity
  state: NotificationState
  title: string
  text: string
  /** A path of the dashboard, such as /approvals/…. Messages contain it as an absolute address. */
  path: string
  /** The same thing again: groups firings, resolves incidents and makes a repeated call harmless. */
  key: string
  data: Record<string, unknown>
  /** IDs of channels. Empty: every channel of the group whose kinds and severity match. */
  channels: readonly string[]
}
