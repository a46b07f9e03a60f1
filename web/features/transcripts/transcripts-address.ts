import type { AssistantId } from '#transcripts/contract'
import { addressReader, day, text, word, type AddressOf } from '../../ui/address.ts'
import { daysAfter } from '../../ui/days.ts'
import { assistantNames } from './transcript-words.ts'

/** The address of the list: what is searched and what narrows it. */
export const readTranscriptsAddress = addressReader({
  q: text,
  project: text,
  assistant: word(Object.keys(assistantNames) as AssistantId[]),
  machine: text,
  /** Both days are included. */
  start_date: day,
  end_date: day,
})
export type TranscriptsAddress = AddressOf<typeof readTranscriptsAddress>
export type TranscriptFilter = Omit<TranscriptsAddress, 'q'>

/** The parameters of the API. Days are in UTC, as everywhere in the dashboard. */
export function parametersOf({ start_date, end_date, ...rest }: TranscriptFilter): Record<string, string> {
  return {
    ...rest,
    ...(start_date !== undefined && { since: `${start_date}T00:00:00.000Z` }),
    ...(end_date !== undefined && { until: `${daysAfter(end_date, 1)}T00:00:00.000Z` }),
  }
}

export const shownKinds = ['prompts', 'tools', 'errors'] as const
export type Shown = (typeof shownKinds)[number]

/** The address of one session: the message to show, and the words that led to it. */
export const readSessionAddress = addressReader({ message: text, q: text, show: word(shownKinds) })
export type SessionAddress = AddressOf<typeof readSessionAddress>
