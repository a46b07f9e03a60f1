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
}

export const typeName = (type: string): string => typeNames[type] ?? type

const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' })

const padded = (part: number, length = 2): string => String(part).padStart(length, '0')

/** `14:02:07.123`, without Intl: hundreds are written in a second. */
export function clockText(time: string): string {
  const at = new Date(time)
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => padded(part)).join(':')
  return `${clock}.${padded(at.getMilliseconds(), 3)}`
}

/** Whether the time is on the reader's current day. */
export const isToday = (time: string): boolean => new Date(time).toDateString() === new Date().toDateString()
/** `16 Nov` */
export const dayText = (time: string): string => day.format(new Date(time))

/** The message on one line, for the list; a row never shows more than fits on a screen. */
export const oneLine = ({ message }: Pick<ConsoleEvent, 'message'>): string =>
  message.slice(0, 400).replaceAll(/\s+/g, ' ').trim()
