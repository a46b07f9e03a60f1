import { z } from 'zod'
import { invalidField } from '#kernel/errors'
import { groupId, limit } from '#kernel/paging'
import { activityTypes, maxName, severities } from './contract.ts'
import { allLevels, type Choice, type EventFilter } from './filter.ts'
import { isEventId } from './event-id.ts'
import { parseMetadata } from './metadata-terms.ts'

const list = (what: string, example: string) =>
  z
    .string()
    .max(2_000, 'must have at most 2000 characters')
    .optional()
    .meta({ description: `${what}, separated by commas. A value after ! is left out.`, examples: [example] })
const time = (what: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description: what, format: 'date-time', examples: [example] })

export const filterFields = {
  ...groupId,
  service: list('Services', 'payments,checkout'),
  type: list(`Types: ${activityTypes.join(', ')}`, 'deployment,error'),
  source: list('Sources', 'gateway'),
  severity: z
    .string()
    .optional()
    .meta({ description: `This severity and above: ${severities.join(', ')}.`, examples: ['warning'] }),
  levels: z
    .string()
    .optional()
    .meta({ description: 'Exactly these severities, separated by commas.', examples: ['info,critical'] }),
  since: time('Events of this time and later.', '2026-11-16T12:00:00Z'),
  until: time('Events before this time. A date counts whole.', '2026-11-17T12:00:00Z'),
}

export const limitField = limit(1_000, 100)

export const metadataField = {
  metadata: z
    .string()
    .max(4_000, 'must have at most 4000 characters')
    .optional()
    .meta({
      description:
        'Up to 5 values of the metadata, separated by commas: a name, a colon and a value, percent-encoded; names of nested objects have / between them. One after ! is left out.',
      examples: ['environment:production,!request/path:%2Fhealth'],
    }),
}

export type FilterQuery = z.infer<z.ZodObject<typeof filterFields>> & { metadata?: string | undefined }

export function parseFilter(group: string, query: FilterQuery): EventFilter {
  const since = parseTime(query.since, 'since')
  const until = parseUntil(query.until)
  if (since !== null && until !== null && since >= until)
    throw invalidField('until', ['must be later than ', { path: 'since' }])
  return {
    groupId: group,
    type: parseChoice(query.type, 'type', activityTypes),
    service: parseChoice(query.service, 'service'),
    source: parseChoice(query.source, 'source'),
    metadata: parseMetadata(query.metadata),
    levels: parseLevels(query),
    since,
    until,
  }
}

function parseChoice(text: string | undefined, path: string, known?: readonly string[]): Choice {
  const values = text === undefined ? [] : wordsOf(text, path)
  const choice = {
    include: values.filter((value) => !value.startsWith('!')),
    exclude: values.filter((value) => value.startsWith('!')).map((value) => value.slice(1)),
  }
  const strange = [...choice.include, ...choice.exclude].find((value) => known && !known.includes(value))
  if (strange !== undefined) throw invalidField(path, `must be one of ${known?.join(', ')}`)
  return choice
}

function parseLevels({ severity, levels }: FilterQuery): readonly number[] {
  if (severity !== undefined && levels !== undefined)
    throw invalidField('levels', ['cannot be combined with ', { path: 'severity' }])
  if (levels !== undefined)
    return [...new Set(wordsOf(levels, 'levels').map((word) => levelOf(word, 'levels')))].toSorted(
      (a, b) => a - b,
    )
  if (severity === undefined) return allLevels
  const lowest = Math.min(...wordsOf(severity, 'severity').map((word) => levelOf(word, 'severity')))
  return allLevels.filter((level) => level >= lowest)
}

function levelOf(word: string, path: string): number {
  const level = severities.indexOf(word as (typeof severities)[number])
  if (level < 0) throw invalidField(path, `must be one of ${severities.join(', ')}`)
  return level
}

function wordsOf(text: string, path: string): string[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (words.length === 0 || words.length > 50) throw invalidField(path, 'must have from 1 to 50 values')
  if (words.some((word) => word.length > maxName + 1 || word.includes('\0')))
    throw invalidField(path, `must have values of at most ${maxName} characters`)
  return words
}

const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i

/** A zone can move the last day of 9999 beyond what a time of the API can express. */
const yearTenThousand = Date.UTC(10_000, 0)

/** Milliseconds. A date alone, or a time without a zone, is UTC. */
export function parseTime(text: string | undefined, path: string): number | null {
  if (text === undefined) return null
  const hasZone = /(Z|[+-]\d\d:\d\d)$/i.test(text) || !text.includes('T')
  const at = isoTime.test(text) && isDay(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN
  if (!(at >= 0 && at < yearTenThousand))
    throw invalidField(path, 'must be a time such as 2026-11-16T12:00:00Z')
  return at
}

const dayMs = 86_400_000

/** A date alone counts to its end, as in the analytics. */
function parseUntil(text: string | undefined): number | null {
  const at = parseTime(text, 'until')
  // The last day that a time can name has no day after it.
  return at !== null && text?.length === 10 ? Math.min(at + dayMs, yearTenThousand - 1) : at
}

/** JavaScript takes 30 February for a day of March. */
const isDay = (text: string): boolean =>
  new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10))

export function parseCursor(cursor: string | undefined, path = 'cursor'): string | null {
  if (cursor === undefined) return null
  if (!isEventId(cursor)) throw invalidField(path, 'must be the next_cursor of a page, or the id of an event')
  return cursor
}
