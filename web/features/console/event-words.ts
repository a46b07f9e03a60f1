import type { ConsoleEvent, Severity } from '#console/contract'
import type { Tone } from '../../ui/badge.tsx'

/** From most to least urgent: the digit keys 1 to 6 follow this order. */
export const severitiesByUrgency: readonly Severity[] = [
  'critical',
  'error',
  'warning',
  'info',
  'debug',
  'trace',
]

/** Larger is more urgent. */
export const urgency = (severity: Severity): number => -severitiesByUrgency.indexOf(severity)

export const severityTones: Record<Severity, Tone> = {
  critical: 'danger',
  error: 'danger',
  warning: 'accent',
  info: 'info',
  debug: 'neutral',
  trace: 'neutral',
}

/** The coloured edge of a row. */
export const severityEdges: Record<Severity, string> = {
  critical: 'before:bg-danger-strong before:w-1',
  error: 'before:bg-danger-strong',
  warning: 'before:bg-primary',
  info: 'before:bg-transparent',
  debug: 'before:bg-transparent',
  trace: 'before:bg-transparent',
}

const typeNames: Record<string, string> = {
  deployment: 'Deployment',
  health_check: 'Health check',
  devlog: 'Devlog',
  ticket: 'Ticket',
  api_call: 'API call',
  error: 'Error',
  config: 'Configuration',
  sync: 'Sync',
  system: 'System',
}

export const typeName = (type: string): string => typeNames[type] ?? type

/** The message on one line, for the list; a row never shows more than fits on a screen. */
export const oneLine = ({ message }: Pick<ConsoleEvent, 'message'>): string =>
  message.slice(0, 400).replaceAll(/\s+/g, ' ').trim()
