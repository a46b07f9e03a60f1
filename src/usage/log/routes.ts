import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { invalid, notFound } from '#kernel/errors'
import { groupOf, type Http, type RouteDocs } from '#kernel/http'
import { requestIdOf } from '#kernel/uuid'
import {
  logFilter,
  logList,
  logQuery,
  usageLog,
  usageLogDetail,
  usagePercentiles,
  usageSums,
  type LogFilter,
} from '../contract.ts'
import { costLines } from '../cost/cost.ts'
import type { LogNames } from '../deps.ts'
import type { UsageTables } from '../tables.ts'
import { exportRows, fileName } from './export.ts'
import { parseFilter, type Filter } from './filter.ts'
import { attemptsOf, linesOf } from './trail.ts'
import { findPrices, findRow } from './log-store.ts'
import { percentileRows, readPercentiles } from './percentiles.ts'
import { groupId, onlyKnown } from './query.ts'
import { readPage } from './read-log.ts'
import { idOf, toUsageLog } from './shapes.ts'
import { sumAll } from './sums-store.ts'

export interface LogRouteDeps extends LogNames {
  db: Kysely<UsageTables>
  /** Waits until what this process settled can be read. */
  caughtUp(): Promise<void>
}

const tags = ['Usage']
const read = { needs: 'read', inGroup: true } as const
const exportQuery = onlyKnown(
  logFilter.extend({
    ...groupId,
    format: z.enum(['csv', 'json']).default('csv').meta({ description: 'The format of the file.' }),
    formulas: z
      .enum(['guard', 'keep'])
      .default('guard')
      .meta({ description: 'What to do with values that a spreadsheet would run as a formula.' }),
  }),
)
const exportDocs: RouteDocs = {
  response: {
    200: {
      description: 'The file.',
      content: {
        'text/csv': { schema: z.string(), example: 'id,request_id,group_id\r\n' },
        'application/json': { schema: z.array(usageLog) },
      },
    },
  },
}

export function logRoutes(app: Http, deps: LogRouteDeps): void {
  const { db, caughtUp } = deps
  const filterOf = (request: { query: LogFilter } & Parameters<typeof groupOf>[0]): Promise<Filter> =>
    parseFilter(groupOf(request).id, request.query, deps)

  app.get(
    '/api/v1/logs',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listUsageLogs',
        summary: 'List requests in the usage log',
        description: 'Newest first. Page by `cursor`, or by `offset` within the newest 10,000.',
        querystring: onlyKnown(logQuery),
        response: { 200: logList },
      },
    },
    async (request) => {
      const { limit, offset, cursor } = request.query
      const filter = await filterOf(request)
      const before = cursor === undefined ? undefined : readCursor(cursor)
      if (before !== undefined && offset > 0) throw invalid('Give "offset" or "cursor", not both.', 'offset')
      await caughtUp()
      const [{ rows, total, hasMore }, names] = await Promise.all([
        readPage(db, filter, { before, offset }, limit),
        deps.apiKeyNames(filter.groupId),
      ])
      const last = rows.at(-1)
      return {
        data: rows.map(toUsageLog),
        api_key_names: namesOf(
          rows.map((row) => row.api_key_id),
          names,
        ),
        limit,
        offset,
        total,
        next_cursor: hasMore && last ? requestIdOf(last.id) : null,
      }
    },
  )

  app.get(
    '/api/v1/logs/summary',
    {
      config: { ...read, forRuns: true },
      schema: {
        tags,
        operationId: 'getUsageTotals',
        summary: 'Get totals of the usage log',
        description: 'Requests, tokens and cost of all requests that match the filter.',
        querystring: onlyKnown(logFilter.extend(groupId)),
        response: { 200: usageSums },
      },
    },
    async (request) => {
      const filter = await filterOf(request)
      await caughtUp()
      return sumAll(db, filter)
    },
  )

  app.get(
    '/api/v1/logs/percentiles',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getUsagePercentiles',
        summary: 'Get percentiles of durations',
        description: `How long requests took, and their first tokens: the newest ${percentileRows} that match the filter.`,
        querystring: onlyKnown(logFilter.extend(groupId)),
        response: { 200: usagePercentiles },
      },
    },
    async (request) => {
      const filter = await filterOf(request)
      await caughtUp()
      return readPercentiles(db, filter)
    },
  )

  app.get(
    '/api/v1/logs/export',
    {
      config: { ...read, docs: exportDocs },
      schema: {
        tags,
        operationId: 'exportUsageLogs',
        summary: 'Export the usage log as a file',
        description:
          'CSV with the field names in its first line, or a JSON array. In CSV, a value that a spreadsheet ' +
          'would run as a formula begins with an apostrophe; `formulas=keep` leaves it unchanged.',
        querystring: exportQuery,
      },
    },
    async (request, reply) => {
      const filter = await filterOf(request)
      const { format, formulas } = request.query
      await caughtUp()
      const pieces = exportRows(db, filter, {
        format,
        guardFormulas: formulas === 'guard',
      })
      return reply
        .type(
          format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8',
        )
        .header('content-disposition', `attachment; filename="${fileName(filter, format, new Date())}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(await withFirstPiece(pieces), { highWaterMark: 1 }))
    },
  )

  app.get(
    '/api/v1/logs/:request_id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getUsageLog',
        summary: 'Get a request in the usage log',
        description:
          'With its cost, line by line, the price it was calculated by, and every call to a provider.',
        params: z.object({
          request_id: z.string().meta({
            description: 'The ID of the request, with or without its prefix.',
            examples: ['req_0198c0de7a3b7c1d9e2f5a6b7c8d9e0f'],
          }),
        }),
        querystring: onlyKnown(z.object(groupId)),
        response: { 200: usageLogDetail },
      },
    },
    async (request) => {
      const group = groupOf(request)
      const id = idOf(request.params.request_id)
      await caughtUp()
      const row = id && (await findRow(db, group.id, id))
      if (!row) throw notFound('The request')
      const { attempts } = row
      const priceIds = [row.price_id, ...(attempts ?? []).map((attempt) => attempt.price_id)]
      const [prices, apiKeys, providerKeys] = await Promise.all([
        findPrices(
          db,
          priceIds.filter((each) => each !== null),
        ),
        deps.apiKeyNames(group.id),
        deps.providerKeyNames(group.id),
      ])
      const shown = toUsageLog(row)
      const price = prices.get(row.price_id ?? '') ?? null
      const trail = attemptsOf(row, shown)
      return {
        ...shown,
        price: price && { ...price, tiers: price.tiers && [...price.tiers] },
        cost_lines: attempts ? linesOf(attempts, prices) : costLines(shown, price),
        api_key_name: (row.api_key_id && apiKeys.get(row.api_key_id)) ?? null,
        provider_key_name: (row.provider_key_id && providerKeys.get(row.provider_key_id)) ?? null,
        attempts: trail,
        provider_key_names: namesOf(
          trail.map((attempt) => attempt.provider_key_id),
          providerKeys,
        ),
      }
    },
  )
}

function namesOf(
  given: readonly (string | null)[],
  names: ReadonlyMap<string, string>,
): Record<string, string> {
  const ids = new Set(given)
  return Object.fromEntries([...names].filter(([id]) => ids.has(id)))
}

function readCursor(cursor: string): string {
  const id = idOf(cursor)
  if (id === undefined) throw invalid('"cursor" must be the "next_cursor" of a page.', 'cursor')
  return id
}

/** Waits for the first rows: until then an error can still be sent as a response; later it cuts the connection. */
async function withFirstPiece(pieces: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const held = [await pieces.next(), await pieces.next()]
  return (async function* () {
    for (const piece of held) if (!piece.done) yield piece.value
    yield* pieces
  })()
}
