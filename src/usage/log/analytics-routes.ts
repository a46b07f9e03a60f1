import { invalid } from '#kernel/errors'
import { groupOf, listOf, type Http } from '#kernel/http'
import {
  runsPrefix,
  byKey,
  byModel,
  byProvider,
  daily,
  hourly,
  type UsageFilter,
  type UsageSums,
} from '../contract.ts'
import { parseFilter, type Filter } from './filter.ts'
import { dayMs, dayText } from './id-time.ts'
import { analyticsQuery } from './query.ts'
import type { LogRouteDeps } from './routes.ts'
import { noSums, sumBy, sumByKey, sumDays, sumHours } from './sums-store.ts'

const tags = ['Usage']
const read = { needs: 'read', inGroup: true } as const
const hourMs = dayMs / 24
const maxDays = 36_600
const maxDaysOfHours = 3

export function analyticsRoutes(app: Http, deps: LogRouteDeps): void {
  const { db } = deps
  async function filterOf(request: { query: UsageFilter } & Parameters<typeof groupOf>[0]): Promise<Filter> {
    const filter = await parseFilter(groupOf(request).id, request.query, deps)
    await deps.caughtUp()
    return filter
  }
  const schema = { tags, querystring: analyticsQuery }

  app.get(
    '/api/v1/analytics/by-model',
    {
      config: { ...read, forRuns: true },
      schema: {
        ...schema,
        operationId: 'getUsageByModel',
        summary: 'Get usage by model',
        response: { 200: listOf(byModel) },
      },
    },
    async (request) => ({ data: await sumBy(db, await filterOf(request), 'model') }),
  )

  app.get(
    '/api/v1/analytics/by-provider',
    {
      config: { ...read, forRuns: true },
      schema: {
        ...schema,
        operationId: 'getUsageByProvider',
        summary: 'Get usage by provider',
        response: { 200: listOf(byProvider) },
      },
    },
    async (request) => ({ data: await sumBy(db, await filterOf(request), 'provider') }),
  )

  app.get(
    '/api/v1/analytics/by-key',
    {
      config: { ...read, forRuns: true },
      schema: {
        ...schema,
        operationId: 'getUsageByKey',
        summary: 'Get usage by API key',
        description: 'The runs of an agent, each of which has a key of its own, are one row.',
        response: { 200: listOf(byKey) },
      },
    },
    async (request) => {
      const filter = await filterOf(request)
      const [names, agents] = await Promise.all([
        deps.apiKeyNames(filter.groupId),
        deps.runKeyAgents(filter.groupId),
      ])
      const runs = new Map([...agents].map(([key, agent]) => [key, `${runsPrefix}${agent}`]))
      const nameOf = (id: string): string | null =>
        id.startsWith(runsPrefix) ? `agent ${id.slice(runsPrefix.length)}` : (names.get(id) ?? null)
      const rows = await sumByKey(db, filter, runs)
      return {
        data: rows.map((row) => ({ ...row, api_key_name: row.api_key_id && nameOf(row.api_key_id) })),
      }
    },
  )

  app.get(
    '/api/v1/analytics/daily',
    {
      config: { ...read, forRuns: true },
      schema: {
        ...schema,
        operationId: 'getUsageByDay',
        summary: 'Get usage by day (UTC)',
        description: 'With both dates, the response has every day of the range, also those without requests.',
        response: { 200: listOf(daily) },
      },
    },
    async (request) => {
      const filter = await filterOf(request)
      if (span(filter) > maxDays) throw invalid('Ask for a hundred years at most.', 'start_date')
      const rows = await sumDays(db, filter)
      return { data: fill(rows, filter, dayMs, 'date', dayText) }
    },
  )

  app.get(
    '/api/v1/analytics/hourly',
    {
      config: read,
      schema: {
        ...schema,
        operationId: 'getUsageByHour',
        summary: 'Get usage by hour (UTC)',
        description: 'Needs both dates, at most 3 days. The response has every hour of the range.',
        response: { 200: listOf(hourly) },
      },
    },
    async (request) => {
      const filter = await filterOf(request)
      for (const [name, given] of [
        ['start_date', filter.from],
        ['end_date', filter.to],
      ] as const)
        if (!given) throw invalid(`"${name}" is missing: hours need both dates.`, name)
      if (span(filter) > maxDaysOfHours)
        throw invalid(`Ask for ${maxDaysOfHours} days of hours at most.`, 'start_date')
      const rows = await sumHours(db, filter)
      return { data: fill(rows, filter, hourMs, 'hour', (at) => at.toISOString()) }
    },
  )
}

/** The days of a range with two ends; none where one is open. */
function span({ from, to }: Filter): number {
  return from && to ? (to.getTime() - from.getTime()) / dayMs : 0
}

/** Puts zeros where nothing happened, when it is known where the range begins and ends. */
function fill<Name extends string>(
  rows: (Record<Name, string> & UsageSums)[],
  { from, to }: Filter,
  step: number,
  name: Name,
  textOf: (at: Date) => string,
): (Record<Name, string> & UsageSums)[] {
  if (!from || !to) return rows
  const present = new Map<string, Record<Name, string> & UsageSums>(rows.map((row) => [row[name], row]))
  const filled: (Record<Name, string> & UsageSums)[] = []
  for (let at = from.getTime(); at < to.getTime(); at += step) {
    const text = textOf(new Date(at))
    const empty = { [name]: text, ...noSums } as Record<Name, string> & UsageSums
    filled.push(present.get(text) ?? empty)
  }
  return filled
}
