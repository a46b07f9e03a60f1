import { z } from 'zod'
import { invalid } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import type { LogRouteDeps } from '../log/routes.ts'
import { dayMs, dayOf, dayText, monthOf, startOfDay } from '../log/id-time.ts'
import { onlyKnown, groupId } from '../log/query.ts'
import { sumDays } from '../log/sums-store.ts'
import { parseFilter } from '../log/filter.ts'
import { groupSpend, spend, spendChange, spendDays, spendForecast, type SpendDays } from './contract.ts'
import { daysLookedAt, forecastOf } from './forecast.ts'
import { hasOwnSums, isSummed, readDays, readParts, readWhole, type PartSums } from './parts-store.ts'
import { daysQuery, groupsQuery, namesOf, questionOf, spansOf, spendQuery, type Span } from './question.ts'
import { restOf, sumOf, toChange, toFigures } from './shapes.ts'

const tags = ['Usage']
const read = { needs: 'read', inGroup: true } as const

/** What is spent, by what, why it changed, and where the month will end. */
export function spendRoutes(app: Http, deps: LogRouteDeps): void {
  const { db, caughtUp } = deps

  app.get(
    '/api/v1/usage/spend',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSpend',
        summary: 'Get spend by model, key, person, route or tag',
        description: 'Each row with the same of the period before. At most 366 days.',
        querystring: onlyKnown(spendQuery(1000, 100)),
        response: { 200: spend },
      },
    },
    async (request) => {
      const { by, limit } = request.query
      const group = groupOf(request).id
      const spans = spansOf(request.query, new Date())
      const question = await questionOf(group, request.query, spans, deps)
      await caughtUp()
      const [{ total, count, parts }, nameOf, isComplete] = await Promise.all([
        readParts(db, question, 'cost', limit),
        namesOf(group, by, deps),
        hasOwnSums(by) ? isSummed(db, question) : true,
      ])
      const hidden = count - parts.length
      return {
        by,
        ...spans,
        total: toFigures(total),
        data: parts.map((part) => ({ id: part.id, name: nameOf(part.id), ...toFigures(part) })),
        others: hidden === 0 || by === 'tag' ? null : { count: hidden, ...toFigures(restOf(total, parts)) },
        is_complete: isComplete,
      }
    },
  )

  app.get(
    '/api/v1/usage/change',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSpendChange',
        summary: 'Get what explains a change of spend',
        description:
          'The rows whose cost changed most between two periods, and all others as one. They add up to the difference ' +
          'exactly, so tags, which overlap, cannot be asked for.',
        querystring: onlyKnown(spendQuery(50, 8)),
        response: { 200: spendChange },
      },
    },
    async (request) => {
      const { by, limit } = request.query
      if (by === 'tag')
        throw invalid('A request may have several tags, so they do not add up to the total.', 'by')
      const group = groupOf(request).id
      const spans = spansOf(request.query, new Date())
      const question = await questionOf(group, request.query, spans, deps)
      await caughtUp()
      const [{ total, count, parts }, nameOf, isComplete] = await Promise.all([
        readParts(db, question, 'change', limit),
        namesOf(group, by, deps),
        hasOwnSums(by) ? isSummed(db, question) : true,
      ])
      return {
        by,
        ...spans,
        total: toChange(total),
        data: parts.map((part) => ({ id: part.id, name: nameOf(part.id), ...toChange(part) })),
        others: { count: count - parts.length, ...toChange(restOf(total, parts)) },
        is_complete: isComplete,
      }
    },
  )

  app.get(
    '/api/v1/usage/days',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSpendByDay',
        summary: 'Get spend by day of a route, a provider key, a user or a tag',
        description: 'Every day (UTC) of the period, also those without requests. At most 366 days.',
        querystring: onlyKnown(daysQuery),
        response: { 200: spendDays },
      },
    },
    async (request) => {
      const { by, id } = request.query
      const { start_date, end_date } = spansOf(request.query, new Date())
      const filter = await parseFilter(groupOf(request).id, { start_date, end_date }, deps)
      const days = { ...filter, from: dayOf(start_date), to: new Date(dayOf(end_date).getTime() + dayMs) }
      await caughtUp()
      const [found, isComplete] = await Promise.all([
        readDays(db, days, by, id),
        isSummed(db, { now: days, before: days }),
      ])
      const data = everyDay({ start_date, end_date }, found)
      return { by, id, start_date, end_date, data, is_complete: isComplete }
    },
  )

  app.get(
    '/api/v1/usage/forecast',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSpendForecast',
        summary: 'Get a forecast of the spend of this month',
        description:
          'What was spent, and for every day that is left the mean of the same weekdays of the last four weeks (UTC). ' +
          'The range takes the cheapest and the dearest of them.',
        querystring: onlyKnown(z.object(groupId)),
        response: { 200: spendForecast },
      },
    },
    async (request) => {
      const now = new Date()
      const today = startOfDay(now)
      const lookedAt = new Date(today.getTime() - daysLookedAt * dayMs)
      const first = lookedAt < monthOf(now) ? lookedAt : monthOf(now)
      const span = { start_date: dayText(first), end_date: dayText(today) }
      const filter = await parseFilter(groupOf(request).id, span, deps)
      await caughtUp()
      const days = await sumDays(db, filter)
      return forecastOf(
        days.map(({ date, total_cost }) => ({ date, cost: total_cost ?? '0' })),
        now,
      )
    },
  )

  app.get(
    '/api/v1/usage/groups',
    {
      config: { needs: 'person' },
      schema: {
        tags,
        operationId: 'getSpendOfGroups',
        summary: 'Get the spend of the groups that you own',
        querystring: onlyKnown(groupsQuery.omit({ group_id: true })),
        response: { 200: groupSpend },
      },
    },
    async (request) => {
      const spans = spansOf(request.query, new Date())
      const owned = principalOf(request).groups.filter(({ role }) => role === 'owner')
      await caughtUp()
      const rows: ({ id: string; name: string } & PartSums)[] = []
      // One after the other: somebody may own hundreds, and others want connections too.
      for (const { id, name } of owned) {
        const question = await questionOf(id, { by: 'model' }, spans, deps)
        rows.push({ id, name, ...(await readWhole(db, question)) })
      }
      return {
        ...spans,
        total: toFigures(sumOf(rows)),
        data: rows
          .map((row) => ({ id: row.id, name: row.name, ...toFigures(row) }))
          .toSorted(
            (a, b) => Number(b.total_cost ?? 0) - Number(a.total_cost ?? 0) || b.requests - a.requests,
          ),
      }
    },
  )
}

const nothing = { requests: 0, errors: 0, unpriced_requests: 0, total_tokens: 0, total_cost: null }

function everyDay({ start_date, end_date }: Span, found: SpendDays['data']): SpendDays['data'] {
  const known = new Map(found.map((row) => [row.date, row]))
  const days: SpendDays['data'] = []
  for (let at = dayOf(start_date).getTime(); at <= dayOf(end_date).getTime(); at += dayMs) {
    const date = dayText(new Date(at))
    days.push(known.get(date) ?? { date, ...nothing })
  }
  return days
}
