import { z } from 'zod'
import { invalid } from '#kernel/errors'
import { usageFilter } from '../contract.ts'
import type { LogNames } from '../deps.ts'
import { parseFilter } from '../log/filter.ts'
import { dayMs, dayOf, dayText, startOfDay } from '../log/id-time.ts'
import { groupId } from '../log/query.ts'
import { partDimensions, spendDimensions, type SpendDimension } from './contract.ts'
import { hasOwnSums, unknownPerson, type SpendQuestion, type WholeDays } from './parts-store.ts'

const { start_date, end_date } = usageFilter.shape
const spanQuery = {
  ...groupId,
  start_date: start_date.meta({ description: 'The first day (UTC). Defaults to 29 days before the last.' }),
  end_date: end_date.meta({ description: 'The last day (UTC), included. Defaults to today.' }),
  before_start_date: start_date.meta({
    description: 'The first day of the period to compare with. Defaults to as many days, just before.',
  }),
  before_end_date: end_date.meta({ description: 'The last day of that period.' }),
}
export const groupsQuery = z.object(spanQuery)
export const daysQuery = z
  .object(spanQuery)
  .omit({ before_start_date: true, before_end_date: true })
  .extend({
    by: z.enum(partDimensions).meta({ description: 'What the ID is of.' }),
    id: z
      .string()
      .min(1)
      .max(300)
      .meta({
        description: 'The ID of the provider key, the name of the route, the `user` or the tag.',
        examples: ['fast'],
      }),
  })

export const spendQuery = (most: number, usual: number) =>
  usageFilter.extend({
    ...spanQuery,
    by: z
      .enum(spendDimensions)
      .default('model')
      .meta({
        description:
          '`person`: whose API key it was. `user`: the `user` of the request. `tag`: its `metadata.tags`, which may overlap. ' +
          '`provider_key`, `route`, `user` and `tag` cannot be combined with other filters than the dates.',
      }),
    limit: z
      .string()
      .regex(/^\d{1,4}$/)
      .transform(Number)
      .refine((n) => n >= 1 && n <= most, `give a whole number from 1 to ${most}`)
      .prefault(String(usual))
      .meta({ description: `How many to list at most, from 1 to ${most}. Defaults to ${usual}.` }),
  })

export interface Span {
  start_date: string
  end_date: string
}
export interface Spans extends Span {
  before: Span
}

const usualDays = 30
const maxDays = 366
/** An id begins with its time since 1970, and a year after 9999 has another text. */
const [firstDay, lastDay] = ['1972-01-01', '9990-12-31']

type SpanInput = Partial<
  Record<'start_date' | 'end_date' | 'before_start_date' | 'before_end_date', string | undefined>
>

/** The period and the one that it is compared with. */
export function spansOf(given: SpanInput, now: Date): Spans {
  const end = given.end_date ?? dayText(startOfDay(now))
  const start = given.start_date ?? after(end, 1 - usualDays)
  const length = lengthOf({ start_date: start, end_date: end }, 'end_date')
  const beforeEnd =
    given.before_end_date ??
    after(given.before_start_date ?? start, given.before_start_date === undefined ? -1 : length - 1)
  const beforeStart = given.before_start_date ?? after(beforeEnd, 1 - length)
  const before = { start_date: beforeStart, end_date: beforeEnd }
  lengthOf(before, 'before_end_date')
  return { start_date: start, end_date: end, before }
}

function lengthOf({ start_date: start, end_date: end }: Span, name: string): number {
  for (const day of [start, end])
    if (day < firstDay || day > lastDay) throw invalid(`Ask for days from ${firstDay} to ${lastDay}.`, name)
  const days = (dayOf(end).getTime() - dayOf(start).getTime()) / dayMs + 1
  if (!(days >= 1)) throw invalid(`"${name}" lies before the first day.`, name)
  if (days > maxDays) throw invalid(`Ask for ${maxDays} days at most.`, name)
  return days
}

const after = (day: string, days: number): string => dayText(new Date(dayOf(day).getTime() + days * dayMs))

type QuestionInput = SpanInput & {
  by: SpendDimension
  model?: string | undefined
  provider?: string | undefined
  api_key_id?: string | undefined
}

export async function questionOf(
  group: string,
  { by, ...given }: QuestionInput,
  spans: Spans,
  names: LogNames,
): Promise<SpendQuestion> {
  const { model, provider, api_key_id } = given
  const filtered = (['model', 'provider', 'api_key_id'] as const).find((name) => given[name] !== undefined)
  if (filtered && hasOwnSums(by))
    throw invalid(`Spend by ${by.replace('_', ' ')} cannot be filtered by "${filtered}".`, filtered)
  const filterOf = async ({ start_date: start, end_date: end }: Span): Promise<WholeDays> => ({
    ...(await parseFilter(group, { model, provider, api_key_id }, names)),
    from: dayOf(start),
    to: new Date(dayOf(end).getTime() + dayMs),
  })
  const [now, before] = await Promise.all([filterOf(spans), filterOf(spans.before)])
  return { by, now, before, keys: await keysOf(group, by, names) }
}

/** What a key's requests are summed as. */
async function keysOf(
  group: string,
  by: SpendDimension,
  names: LogNames,
): Promise<ReadonlyMap<string, string>> {
  if (by === 'person')
    return new Map([...(await names.keyPeople(group))].map(([key, { id }]) => [key, id] as const))
  if (by !== 'api_key') return new Map()
  return new Map(
    [...(await names.runKeyAgents(group))].map(([key, agent]) => [key, `agent:${agent}`] as const),
  )
}

/** The names of the values of a dimension, where they are ids. */
export async function namesOf(
  group: string,
  by: SpendDimension,
  names: LogNames,
): Promise<(id: string | null) => string | null> {
  if (by === 'person') {
    const people = new Map([...(await names.keyPeople(group)).values()].map(({ id, name }) => [id, name]))
    return (id) => (id === null || id === unknownPerson ? null : (people.get(id) ?? null))
  }
  if (by === 'provider_key') return lookUp(await names.providerKeyNames(group))
  if (by !== 'api_key') return (id) => id
  const keys = lookUp(await names.apiKeyNames(group))
  return (id) => (id?.startsWith('agent:') ? `agent ${id.slice('agent:'.length)}` : keys(id))
}

const lookUp =
  (names: ReadonlyMap<string, string>) =>
  (id: string | null): string | null =>
    id === null ? null : (names.get(id) ?? null)
