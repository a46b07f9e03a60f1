import { z } from 'zod'
import { invalidField } from '#kernel/errors'
import { badCursor, cursor, groupId, limit, readOffset } from '#kernel/paging'
import { assistantIds, maxHitsPerPage, maxMessagesPerPage, maxSessionsPerPage } from '../contract.ts'
import { messageKind, messageRole } from '../contract.ts'
import type { PlaceKey } from '../store/page-store.ts'
import type { ListPage, SessionFilter } from '../store/read-store.ts'

const list = (what: string, example: string) =>
  z
    .string()
    .max(4_000, 'must have at most 4000 characters')
    .optional()
    .meta({ description: `${what}, separated by commas.`, examples: [example] })
const time = (what: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description: what, format: 'date-time', examples: [example] })
const messageIdField = (what: string) =>
  z
    .uuid('must be the id of a message')
    .optional()
    .meta({ description: what, examples: ['3f9a2c1e-5a44-4f0b-9a3e-0b6f1c2d3e4f'] })

const filterFields = {
  ...groupId,
  project: list('Projects, with the folders below them', '/home/dev/shop'),
  assistant: list(`Assistants: ${assistantIds.join(', ')}`, 'claude-code,codex'),
  machine: list('Machines', 'laptop'),
  branch: list('Git branches', 'main'),
  model: list('Models', 'claude-opus-5'),
  since: time('Of this time and later.', '2026-11-16T12:00:00Z'),
  until: time('Before this time.', '2026-11-17T12:00:00Z'),
}

export const listQuery = z.object({
  ...filterFields,
  parent_id: z.uuid().optional().meta({ description: 'Only the subagents of this session.' }),
  include: z.enum(['subagents']).optional().meta({ description: '`subagents`: those too.' }),
  external_id: z
    .string()
    .max(200, 'must have at most 200 characters')
    .optional()
    .meta({ description: "The assistant's own id of a session or subagent.", examples: ['7d9f2c1e'] }),
  limit: limit(maxSessionsPerPage, 50),
  cursor,
})

export const sessionQuery = z.object({
  ...groupId,
  limit: limit(maxMessagesPerPage, maxMessagesPerPage),
  order: z
    .enum(['asc', 'desc'])
    .default('asc')
    .meta({ description: 'Whether the oldest or the newest messages come first.' }),
  cursor,
  after: messageIdField('The id of a message: returns those that follow it.'),
  show: z.enum(['prompts', 'tools', 'errors']).optional().meta({
    description:
      'Only what a person wrote, only tool calls and their results, or only failures with their calls.',
  }),
  around: messageIdField(
    'The id of a message: returns it among its neighbours, oldest first. `prev_cursor` continues backwards with ' +
      '`order=desc`.',
  ),
})

export const searchQuery = z.object({
  ...filterFields,
  q: z
    .string('must be a string')
    .max(500, 'must have at most 500 characters')
    .refine((text) => text.trim() !== '' && !text.includes('\0'), 'must be words to search for')
    .meta({
      description:
        'Words, also parts of names; "quotes" for an exact phrase, `or`, and a minus before what must not be there.',
      examples: ['"off by one" -timezone'],
    }),
  role: list(`Roles: ${messageRole.options.join(', ')}`, 'user'),
  kind: list(`Kinds: ${messageKind.options.join(', ')}`, 'text'),
  tool: list('Names of tools', 'Bash'),
  session_id: z.uuid().optional().meta({ description: 'Only in this session.' }),
  sort: z
    .enum(['rank', 'time'])
    .default('rank')
    .meta({ description: 'Best first among the newest 1,000 matches, or newest first.' }),
  limit: limit(maxHitsPerPage, 20),
  cursor,
})

export type FilterQuery = z.infer<z.ZodObject<typeof filterFields>>

export function parseFilter(group: number, query: FilterQuery): SessionFilter {
  const since = parseTime(query.since, 'since')
  const until = parseTime(query.until, 'until')
  if (since && until && since >= until)
    throw invalidField('until', ['must be later than ', { path: 'since' }])
  const assistants = wordsOf(query.assistant, 'assistant')
  if (!assistants.every((each) => assistantIds.some((id) => id === each)))
    throw invalidField('assistant', `must be one of ${assistantIds.join(', ')}`)
  return {
    group,
    projects: wordsOf(query.project, 'project').map((path) => path.replace(/(?<=[^/])\/+$/, '')),
    assistants,
    machines: wordsOf(query.machine, 'machine'),
    branches: wordsOf(query.branch, 'branch'),
    models: wordsOf(query.model, 'model'),
    since,
    until,
    externalId: null,
    parentId: null,
    includeSubagents: false,
  }
}

export function wordsOf(text: string | undefined, path: string): string[] {
  if (text === undefined) return []
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (words.length === 0 || words.length > 50) throw invalidField(path, 'must have from 1 to 50 values')
  if (words.some((word) => word.includes('\0') || !word.isWellFormed()))
    throw invalidField(path, 'must be plain text')
  return words
}

const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i
/** A zone can move the last day of 9999 beyond what a time of the API can express. */
const yearTenThousand = Date.UTC(10_000, 0)

/** A date alone, or a time without a zone, is UTC. */
function parseTime(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null
  const hasZone = /(Z|[+-]\d\d:\d\d)$/i.test(text) || !text.includes('T')
  const at = isoTime.test(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN
  if (!(at >= 0 && at < yearTenThousand))
    throw invalidField(path, 'must be a time such as 2026-11-16T12:00:00Z')
  return new Date(at)
}

export function parseListCursor(text: string | undefined): ListPage['after'] {
  if (text === undefined) return null
  const [, at, no] = /^(\d{1,17})_(\d{1,18})$/.exec(text) ?? []
  if (at === undefined || no === undefined) throw badCursor()
  return { at, no }
}

export function parsePlaceCursor(text: string | undefined): PlaceKey | null {
  if (text === undefined) return null
  const [, place, key] = /^(-?\d{1,20}(?:\.\d{1,20})?|Infinity)_([0-9a-f]{32})$/.exec(text) ?? []
  if (place === undefined || key === undefined) throw badCursor()
  return { place: Number(place), key }
}

export const placeCursor = ({ place, key }: PlaceKey): string => `${place}_${key}`

const maxOffset = 2_000

export const parseOffset = (text: string | undefined): number => readOffset(text, maxOffset)
