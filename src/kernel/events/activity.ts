/** The event types of the console. */
export const activityTypes = [
  'deployment',
  'health_check',
  'devlog',
  'ticket',
  'api_call',
  'error',
  'config',
  'sync',
  'system',
] as const
/** What others may report: events of type `system` are Signalbox's own, so that nobody can make up an alert. */
export const reportedTypes = activityTypes.filter((type) => type !== 'system')
export type ActivityType = (typeof activityTypes)[number]

/** From lowest to highest. */
export const severities = ['trace', 'debug', 'info', 'warning', 'error', 'critical'] as const
export type Severity = (typeof severities)[number]

export interface Activity {
  /** Null: it concerns the whole installation and is shown in the first group. */
  groupId: string | null
  /** The user; null when the system itself or an API key did it. */
  by: string | null
  type: ActivityType
  severity: Severity
  service: string | null
  /** Where it came from: `platform`, `deployments`, `infrastructure`, or any slug. */
  source: string
  title: string
  message: string
  metadata: Record<string, unknown>
}

/** What most changes of how the platform is set up have in common. */
export const configActivity = {
  type: 'config',
  severity: 'info',
  service: null,
  source: 'platform',
  message: '',
} as const satisfies Partial<Activity>
