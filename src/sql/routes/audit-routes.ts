import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { groupOf, principalOf, type Http, type RouteDocs } from '#kernel/http'
import { cutPage, groupId, pageOf, paging, readNumber } from '#kernel/paging'
import { listAttempts, type AuditFilter } from '../audit/audit-store.ts'
import { csvHead, csvLine, toRecord } from '../audit/record.ts'
import { verifyChain } from '../audit/verify.ts'
import { auditChain, auditRecord, auditStatuses } from '../contract.ts'
import type { SqlTables } from '../tables.ts'

const tags = ['SQL']
const sql = { needs: 'sql', inGroup: true } as const
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const filter = {
  database: z.string().max(63).optional().meta({ description: 'Only attempts on this database.' }),
  agent_id: z.string().max(63).optional().meta({ description: 'Only attempts under this agent’s policy.' }),
  status: z.enum(auditStatuses).optional().meta({ description: 'Only attempts with this outcome.' }),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only attempts with this in the text, the reason, the executor or the error.' }),
  mine: z.enum(['true', 'false']).optional().meta({
    description:
      '`true`: only what the caller sent, also where the caller sees all. For a person, without what their keys did.',
  }),
  since: time.optional().meta({ description: 'Only attempts at or after this time.' }),
  until: time.optional().meta({ description: 'Only attempts before this time.' }),
  ...groupId,
}

const pageQuery = z.object({ ...filter, ...paging(1_000) })

const exportQuery = z.object({
  ...filter,
  format: z.enum(['csv', 'json']).default('csv').meta({ description: 'The format of the file.' }),
})

const exportDocs: RouteDocs = {
  response: {
    200: {
      description: 'The file.',
      content: {
        'text/csv': { schema: z.string(), example: `${csvHead}\r\n` },
        'application/json': { schema: z.array(auditRecord) },
      },
    },
  },
}

const whoSees =
  'Admins and owners see every attempt of the group. Members and keys see their own, except a key with the scope `admin`.'

export function auditRoutes(app: Http, db: Kysely<SqlTables>): void {
  app.get(
    '/api/v1/sql/logs',
    {
      config: { ...sql, forRuns: true },
      schema: {
        tags,
        operationId: 'listSqlLogs',
        summary: 'List the audit log',
        description: `Every attempt, newest first: executed, failed, refused, paused, approved, rejected. ${whoSees}`,
        querystring: pageQuery,
        response: { 200: pageOf(auditRecord) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query
      const rows = await listAttempts(db, {
        ...filterOf(request, request.query),
        before: readNumber(cursor),
        limit: limit + 1,
      })
      return cutPage(rows, limit, ({ seq }) => seq, toRecord)
    },
  )

  app.get(
    '/api/v1/sql/logs/export',
    {
      config: { ...sql, docs: exportDocs },
      schema: {
        tags,
        operationId: 'exportSqlLogs',
        summary: 'Export the audit log',
        description: `The whole log, or what a filter leaves of it, as a file. ${whoSees}`,
        querystring: exportQuery,
      },
    },
    (request, reply) => {
      const { format } = request.query
      const lines = exportLines(db, filterOf(request, request.query), format === 'json')
      return reply
        .type(format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="signalbox-sql-audit.${format}"`)
        .send(Readable.from(lines))
    },
  )

  app.get(
    '/api/v1/sql/logs/chain',
    {
      config: { needs: 'admin', inGroup: true },
      schema: {
        tags,
        operationId: 'verifySqlLogs',
        summary: 'Verify the audit log',
        description:
          'Recalculates every hash of the group. `signalbox audit verify` does the same for all groups. Keep the head elsewhere: it shows later that nothing before it was changed.',
        querystring: z.object(groupId),
        response: { 200: auditChain },
      },
    },
    async (request) => {
      const { entries, head, problem } = await verifyChain(db, groupOf(request).id)
      return { entries, head, problem }
    },
  )
}

type FilterQuery = z.infer<z.ZodObject<typeof filter>>

function filterOf(request: FastifyRequest, query: FilterQuery): Omit<AuditFilter, 'limit'> {
  const [principal, group] = [principalOf(request), groupOf(request)]
  const seesAll = principal.key
    ? principal.key.scopes.has('admin')
    : group.role === 'admin' || group.role === 'owner'
  const own = principal.key ? { keyId: principal.key.id } : { userId: principal.user?.id }
  const { database, agent_id: agentId, status, q: search, mine, since, until } = query
  const isMine = mine === 'true'
  return {
    groupId: group.id,
    database,
    agentId,
    status,
    search,
    since,
    until,
    ...((!seesAll || isMine) && own),
    withoutKeys: isMine && !principal.key,
  }
}

const rowsAtOnce = 500

/** Page by page, so that a slow reader holds neither memory nor a connection. */
async function* exportLines(
  db: Kysely<SqlTables>,
  filter: Omit<AuditFilter, 'limit'>,
  isJson: boolean,
): AsyncGenerator<string> {
  yield isJson ? '[' : `${csvHead}\r\n`
  let before: string | undefined
  for (;;) {
    const rows = await listAttempts(db, { ...filter, before, limit: rowsAtOnce })
    const records = rows.map(toRecord)
    if (isJson && records.length > 0)
      yield `${before === undefined ? '' : ','}\n${records.map((each) => JSON.stringify(each)).join(',\n')}`
    if (!isJson) yield records.map((each) => `${csvLine(each)}\r\n`).join('')
    if (rows.length < rowsAtOnce) break
    before = rows.at(-1)?.seq
  }
  if (isJson) yield '\n]\n'
}
