import { z } from 'zod'
import { pageOf } from '#kernel/paging'
import { activityTypes, severities } from '#kernel/events'

/** Shapes of the console's routes. Browser-safe. */

export { isComparable, textAt } from './metadata-value.ts'
export { activityTypes, reportedTypes, severities, type ActivityType, type Severity } from '#kernel/events'

export const maxEventsPerCall = 1_000
export const maxTitle = 500
export const maxMessage = 65_536
export const maxMetadata = 32_768
export const maxName = 200
/** After this many events that a stream missed, it continues live and reports the rest as a gap. */
export const maxReplay = 5_000

/** Also the form of an event's `source`. */
export const slugPattern = /^[a-z0-9][a-z0-9._-]{0,99}$/

const count = z.int().meta({ minimum: 0, examples: [42] })
const time = z.string().meta({ format: 'date-time', examples: ['2026-11-16T12:00:00.000Z'] })

export const eventType = z.enum(activityTypes)
export const eventSeverity = z.enum(severities)

const eventFields = {
  id: z.uuid(),
  sequence: z
    .int()
    .meta({ description: 'The position in the stream, in the order of arrival.', examples: [4711] }),
  type: eventType,
  severity: eventSeverity,
  service: z
    .string()
    .nullable()
    .meta({ description: 'The service that sent it.', examples: ['payments'] }),
  source: z.string().meta({ description: 'Where it came from.', examples: ['deployments'] }),
  title: z.string().meta({ examples: ['Deployed payments 1.4.2'] }),
  message: z.string().meta({ examples: ['Finished in 74 s.'] }),
  // A record would lose a key named `__proto__`, which is data here.
  metadata: z
    .custom<Record<string, unknown>>()
    .meta({ type: 'object', additionalProperties: {}, examples: [{ commit: '9fceb02' }] }),
  created_at: time.meta({ description: 'When it happened.' }),
  group_id: z.uuid(),
}

export const consoleEvent = z.object(eventFields).meta({ id: 'ConsoleEvent' })

export const eventList = pageOf(consoleEvent)

export const foundEvent = z
  .object({
    ...eventFields,
    rank: z.number().meta({ description: 'How well the event matches.', examples: [0.61] }),
    highlight: z.string().meta({
      description: 'An excerpt as HTML: escaped text, in which `<mark>` encloses the words that match.',
      examples: ['Deployed <mark>payments</mark> 1.4.2'],
    }),
  })
  .meta({ id: 'FoundEvent' })

export const searchList = pageOf(foundEvent)

const byName = z.record(z.string(), count)

export const eventStats = z.object({
  hours: z.number().meta({ examples: [24] }),
  since: time,
  until: time,
  total: count,
  by_type: byName.meta({ examples: [{ deployment: 3 }] }),
  by_severity: byName.meta({ examples: [{ info: 40, error: 2 }] }),
  by_service: byName.meta({
    description: 'The 100 services with the most events.',
    examples: [{ payments: 12 }],
  }),
  by_source: byName.meta({
    description: 'The 100 sources with the most events.',
    examples: [{ gateway: 30 }],
  }),
  bucket_seconds: z.int().meta({ description: 'The length of each step of the timeline.', examples: [300] }),
  timeline: z.array(
    z.object({ at: time, count, errors: count.meta({ description: 'Severity error and above.' }) }),
  ),
})

export const savedView = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Production errors'] }),
    query: z.string().meta({ examples: ['severity=error&service=payments'] }),
    created_by: z.uuid().nullable(),
    created_at: time,
  })
  .meta({ id: 'SavedView' })

export const savedViewInput = z
  .object({
    name: z
      .string('must be a string')
      .trim()
      .min(1, 'must not be empty')
      .max(100, 'must have at most 100 characters'),
    query: z.string('must be a string').max(2_000, 'must have at most 2000 characters'),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ name: 'Production errors', query: 'severity=error&service=payments' }] })

export const errorReporter = z
  .object({
    public_id: z
      .string()
      .nullable()
      .meta({
        description: 'Identifies the group in pages; null while browsers may not report.',
        examples: ['fe_5b0c2e'],
      }),
    origins: z.array(z.string()).meta({
      description: 'Sites that may report; empty: any.',
      examples: [['https://shop.example.com']],
    }),
    script: z
      .string()
      .nullable()
      .meta({
        description: 'What to add to a page.',
        examples: [
          '<script src="https://signalbox.example.com/api/console/frontend-errors.js?id=fe_5b0c2e"></script>',
        ],
      }),
  })
  .meta({ id: 'ErrorReporter' })

export type ConsoleEvent = z.infer<typeof consoleEvent>
export type FoundEvent = z.infer<typeof foundEvent>
export type EventStats = z.infer<typeof eventStats>
export type SavedView = z.infer<typeof savedView>
export type ErrorReporter = z.infer<typeof errorReporter>

/** The data of the stream's event `gap`: events between two sequences that the stream left out. */
export interface StreamGap {
  from: number
  to: number
  /** How many of them match the filters; at most 100,000 are counted. */
  count: number
}

/** The highlight of a search result in parts, for pages that show it without using it as HTML. */
export function highlightParts(highlight: string): { text: string; isMatch: boolean }[] {
  return highlight
    .split(/<\/?mark>/)
    .map((text, index) => ({ text: unescapeHtml(text), isMatch: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
}
