import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type pg from 'pg'
import { Fault, faults, notFound, tooMany } from '#kernel/errors'
import { createRateLimit, groupOf, keepBytes, readJson, type Http } from '#kernel/http'
import { errorReporter, type ErrorReporter } from '../contract.ts'
import type { EventDraft } from '../event.ts'
import { groupId } from '#kernel/paging'
import { readReport } from './read-report.ts'
import { deleteReporter, findReporter, reporterOf, saveReporter, type ReporterRow } from './reporter-store.ts'
import { reporterScript } from './script.ts'

export interface ReporterDeps {
  pool: pg.Pool
  accept(groupId: string, drafts: readonly EventDraft[]): Promise<unknown>
  /** The address under which pages reach this server. */
  publicUrl: string | undefined
}

const tags = ['Console']
const path = '/api/console/frontend-errors'
/** For all pages of a group together; each address has a limit besides. */
const limits = { burst: 200, perSecond: 10 }

const report = z.object({
  message: z.string(),
  stack: z.string().optional(),
  url: z.string().optional(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
})
const publicId = z.string().meta({
  description: 'The public ID of the group’s error reporter.',
  examples: ['fe_5b0c2e9f7a3d4c1b'],
})
const reporterInput = z
  .object({
    enabled: z.boolean('must be true or false'),
    origins: z
      .array(
        z
          .string('must be a string')
          .max(300, 'must have at most 300 characters')
          .refine(
            (text) => URL.canParse(text) && new URL(text).origin === text,
            'must be an origin such as https://shop.example.com',
          ),
        'must be an array',
      )
      .max(50, 'must have at most 50 origins')
      .default([]),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ enabled: true, origins: ['https://shop.example.com'] }] })

/** Errors of pages in browsers: anybody can send them, so the group opts in and may name its sites. */
export function reporterRoutes(app: Http, deps: ReporterDeps): void {
  settingRoutes(app, deps)
  app.get(
    `${path}.js`,
    {
      config: {
        needs: 'anyone',
        open: 'pages of other sites include the script',
        docs: {
          response: {
            200: {
              description: 'The script.',
              content: { 'text/javascript': { schema: z.string(), example: reporterScript } },
            },
          },
        },
      },
      schema: {
        tags,
        operationId: 'getErrorReporterScript',
        summary: 'Get the script that reports errors of a page',
        querystring: z.object({ id: publicId.optional() }),
      },
    },
    (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(reporterScript),
  )
  void app.register((scope: Http, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', keepBytes)
    receive(scope, deps)
    done()
  })
}

function receive(app: Http, { pool, accept }: ReporterDeps): void {
  const limit = createRateLimit(limits)
  app.post(
    path,
    {
      config: {
        needs: 'anyone',
        open: 'browsers of anybody report errors, without credentials',
        anyFields: 'Pages send what their browser knows.',
        docs: {
          body: {
            'application/json': { schema: report, example: { message: 'x is not a function' } },
            'text/plain': { schema: z.string(), example: '{"message":"x is not a function"}' },
          },
          errors: ['forbidden', 'notFound', 'rateLimit'],
        },
      },
      schema: {
        tags,
        operationId: 'reportFrontendError',
        summary: 'Report an error of a page',
        querystring: z.object({ id: publicId }),
        response: { 202: z.object({ accepted: z.literal(1) }) },
      },
    },
    async (request, reply) => {
      const reporter = await findReporter(pool, request.query.id)
      if (!reporter) throw notFound('The error reporter')
      const origin = request.headers.origin ?? null
      if (reporter.origins.length > 0 && (origin === null || !reporter.origins.includes(origin)))
        throw new Fault(faults.forbidden, 'This site is not among the origins of the error reporter.')
      const seconds = limit(reporter.public_id)
      if (seconds > 0) throw tooMany('pageErrors', seconds)
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const draft = readReport(readJson(body), { origin, agent: request.headers['user-agent'] ?? null })
      await accept(reporter.group_id, [draft])
      void reply.header('cross-origin-resource-policy', 'cross-origin')
      return reply.code(202).send({ accepted: 1 as const })
    },
  )
}

function settingRoutes(app: Http, { pool, publicUrl }: ReporterDeps): void {
  app.get(
    '/api/console/reporter',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'getErrorReporter',
        summary: 'Get the settings of the error reporter',
        querystring: z.object(groupId),
        response: { 200: errorReporter },
      },
    },
    async (request) => toJson(await reporterOf(pool, groupOf(request).id), addressOf(request, publicUrl)),
  )
  app.put(
    '/api/console/reporter',
    {
      config: { needs: 'admin', inGroup: true },
      schema: {
        tags,
        operationId: 'updateErrorReporter',
        summary: 'Change the settings of the error reporter',
        body: reporterInput,
        response: { 200: errorReporter },
      },
    },
    async (request) => {
      const group = groupOf(request)
      const { enabled, origins } = request.body
      if (!enabled) {
        await deleteReporter(pool, group.id)
        return toJson(undefined, addressOf(request, publicUrl))
      }
      const id = `fe_${randomBytes(8).toString('hex')}`
      return toJson(
        await saveReporter(pool, { public_id: id, group_id: group.id, origins }),
        addressOf(request, publicUrl),
      )
    },
  )
}

/** Pages of other sites load the script, so its address names this server: as configured, or as the caller reached it. */
function addressOf({ headers, protocol }: CallerAddress, publicUrl: string | undefined): string {
  const host = headers.host ?? ''
  return publicUrl ?? (/^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : '')
}

interface CallerAddress {
  headers: { host?: string | undefined }
  protocol: string
}

function toJson(row: ReporterRow | undefined, publicUrl: string): ErrorReporter {
  if (!row) return { public_id: null, origins: [], script: null }
  const address = `${publicUrl}${path}.js?id=${row.public_id}`
  return { public_id: row.public_id, origins: row.origins, script: `<script src="${address}"></script>` }
}
