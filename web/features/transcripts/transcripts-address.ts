import type { AssistantId } from '#transcripts/contract'
import { daysAfter, isDay } from '../../ui/days.ts'
import { assistantNames } from './transcript-words.ts'

/** The address of the list: what is searched and what narrows it. */
export interface TranscriptsAddress {
  q?: string
  project?: string
  assistant?: AssistantId
  machine?: string
  /** Both days are included. */
  start_date?: string
  end_date?: string
}

export type TranscriptFilter = Omit<TranscriptsAddress, 'q'>

export function readTranscriptsAddress(search: Record<string, unknown>): TranscriptsAddress {
  const { q, project, assistant, machine, start_date, end_date } = search
  return {
    ...textField('q', q),
    ...textField('project', project),
    ...(typeof assistant === 'string' &&
      Object.hasOwn(assistantNames, assistant) && { assistant: assistant as AssistantId }),
    ...textField('machine', machine),
    ...(isDay(start_date) && { start_date }),
    ...(isDay(end_date) && { end_date }),
  }
}

/** The router reads digits as a number; a machine may be named so. */
function textField<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  const text = typeof value === 'number' ? String(value) : value
  return (typeof text === 'string' && text.trim() !== '' ? { [name]: text } : {}) as Partial<
    Record<Name, string>
  >
}

/** The parameters of the API. Days are in UTC, as everywhere in the dashboard. */
export function parametersOf({ start_date, end_date, ...rest }: TranscriptFilter): Record<string, string> {
  return {
    ...rest,
    ...(start_date !== undefined && { since: `${start_date}T00:00:00.000Z` }),
    ...(end_date !== undefined && { until: `${daysAfter(end_date, 1)}T00:00:00.000Z` }),
  }
}

/** The address of one session: the message to show, and the words that led to it. */
export interface SessionAddress {
  message?: string
  q?: string
  show?: Shown
}

export const shownKinds = ['prompts', 'tools', 'errors'] as const
export type Shown = (typeof shownKinds)[number]

export function readSessionAddress(search: Record<string, unknown>): SessionAddress {
  const { message, q, show } = search
  const shown = shownKinds.find((kind) => kind === show)
  return { ...textField('message', message), ...textField('q', q), ...(shown && { show: shown }) }
}
