import { Readable } from 'node:stream'
import type pg from 'pg'
import { z } from 'zod'
import { notFound } from '#kernel/errors'
import type { Http, RouteDocs } from '#kernel/http'
import { findImage } from '../store/page-store.ts'
import type { SessionRow } from '../store/read-store.ts'
import { exportSession } from './export.ts'
import { groupId } from '#kernel/paging'
import type { SessionCosts } from './session-costs.ts'
import { sessionDetail } from './session-detail.ts'
import { sessionId, sessionOf } from './session-of.ts'

const tags = ['Transcripts']
const read = { needs: 'read', inGroup: true } as const
/** What a browser may show; anything else is saved as a file. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const exportDocs: RouteDocs = {
  response: {
    200: {
      description: 'The session as a file.',
      content: {
        'text/markdown': { schema: z.string(), example: '# Fix the rounding of totals\n' },
        'application/json': {
          schema: z.record(z.string(), z.unknown()),
          example: { session: {}, messages: [] },
        },
      },
    },
  },
}

const imageDocs: RouteDocs = {
  response: {
    200: {
      description: 'The image. Other files are sent as a download.',
      content: { 'image/png': { schema: z.string().meta({ format: 'binary' }), example: 'PNG' } },
    },
  },
}

export interface FileDeps {
  pool: pg.Pool
  usage: SessionCosts | null
  erase(session: SessionRow): Promise<void>
}

export function fileRoutes(app: Http, { pool, usage, erase }: FileDeps): void {
  app.get(
    '/api/transcripts/:id/export',
    {
      config: { ...read, docs: exportDocs },
      schema: {
        tags,
        operationId: 'exportTranscript',
        summary: 'Export a session as Markdown or JSON',
        params: sessionId,
        querystring: z.object({
          ...groupId,
          format: z
            .enum(['markdown', 'json'])
            .default('markdown')
            .meta({ description: 'The format of the file.' }),
          redact: z
            .enum(['true', 'false'])
            .default('true')
            .meta({
              description:
                'Whether outputs of tools, images, paths and the name of the machine are left out, and what looks ' +
                'like a key is masked.',
            }),
        }),
      },
    },
    async (request, reply) => {
      const { groupId: group, session } = await sessionOf(pool, request, request.params.id)
      const { format, redact } = request.query
      const detail = await sessionDetail(pool, usage, group, session)
      const name = `${session.assistant}-${session.id}.${format === 'json' ? 'json' : 'md'}`
      const type = format === 'json' ? 'application/json' : 'text/markdown'
      return reply
        .header('content-type', `${type}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(exportSession(pool, session, detail, { format, redact: redact === 'true' })))
    },
  )

  app.get(
    '/api/transcripts/:id/images/:sha256',
    {
      config: { ...read, docs: imageDocs },
      schema: {
        tags,
        operationId: 'getTranscriptImage',
        summary: 'Get an image of a session',
        params: sessionId.extend({
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')
            .meta({
              description: 'The hash of the image.',
              examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
            }),
        }),
        querystring: z.object(groupId),
      },
    },
    async (request, reply) => {
      const { session } = await sessionOf(pool, request, request.params.id)
      const image = await findImage(pool, session, request.params.sha256)
      if (image === undefined) throw notFound('The image')
      const isShown = image.mime !== null && shownTypes.has(image.mime)
      return reply
        .header('content-type', isShown ? image.mime : 'application/octet-stream')
        .header('content-disposition', isShown ? 'inline' : 'attachment; filename="file"')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, max-age=86400, immutable')
        .send(image.data)
    },
  )

  app.delete(
    '/api/transcripts/:id',
    {
      config: { needs: 'admin', inGroup: true },
      schema: {
        tags,
        operationId: 'deleteTranscript',
        summary: 'Delete a session',
        description:
          'Erases its messages, kept lines, images and subagents. The files on the machines stay, and are not ' +
          'stored again.',
        params: sessionId,
        querystring: z.object(groupId),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { session } = await sessionOf(pool, request, request.params.id)
      await erase(session)
      return reply.code(204).send(null)
    },
  )
}
