import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalidField } from '#kernel/errors'
import { groupOf, principalOf, type Http, type RouteDocs } from '#kernel/http'
import { assistants } from '../assistants/index.ts'
import type { Blob, Segment, SourceName, WatcherReport } from '../segment.ts'
import {
  fileCursor,
  filePage,
  positionBody,
  positionToWire,
  reportBody,
  rootFields,
  segmentBody,
  segmentFromWire,
  sourceFields,
  sourceFrom,
} from '../protocol.ts'
import type { Ingest } from './ingest.ts'

const tags = ['Transcripts']
const write = { needs: 'events', inGroup: true } as const
const docs: RouteDocs = { errors: ['requestTooLarge', 'unavailable'] }
const groupId = { group_id: z.uuid().optional() }

export interface IngestRoutesDeps {
  ingest: Ingest
  report(groupId: string, report: WatcherReport, userId: string | null): Promise<void>
}

/** What watchers on other machines call. */
export function ingestRoutes(app: Http, { ingest, report }: IngestRoutesDeps): void {
  app.post(
    '/api/transcripts/ingest',
    {
      config: { ...write, docs },
      schema: {
        tags,
        operationId: 'ingestTranscript',
        summary: 'Send lines of a transcript',
        description:
          'Stores lines that follow the stored position, and returns the position behind them. Lines that begin ' +
          'elsewhere change nothing: the stored position is returned, and sending continues there.',
        body: segmentBody,
        response: { 200: positionBody },
      },
    },
    async (request) => {
      const segment = segmentFromWire(request.body)
      const group = groupOf(request)
      check(segment)
      return positionToWire(await ingest.take(group.id, segment))
    },
  )

  app.get(
    '/api/transcripts/ingest/position',
    {
      config: write,
      schema: {
        tags,
        operationId: 'getTranscriptPosition',
        summary: 'Get the position up to which a file is stored',
        querystring: z.object({ ...sourceFields, ...groupId }),
        response: { 200: z.object({ position: positionBody.nullable() }) },
      },
    },
    async (request) => {
      const position = await ingest.position(groupOf(request).id, sourceFrom(request.query))
      return { position: position && positionToWire(position) }
    },
  )

  app.get(
    '/api/transcripts/ingest/files',
    {
      config: write,
      schema: {
        tags,
        operationId: 'listTranscriptFiles',
        summary: 'List the stored files of a folder',
        description:
          'Without those that were reported as deleted. A watcher finds out which of them are gone.',
        querystring: z.object({ ...rootFields, ...groupId, cursor: fileCursor.optional() }),
        response: { 200: filePage },
      },
    },
    async (request) => {
      const { machine, assistant, root, cursor } = request.query
      const page = await ingest.files(groupOf(request).id, { machine, assistant, root }, cursor ?? null)
      return { data: page.paths, next_cursor: page.next }
    },
  )

  app.post(
    '/api/transcripts/ingest/missing',
    {
      config: write,
      schema: {
        tags,
        operationId: 'reportMissingTranscript',
        summary: 'Report that a file was deleted',
        description: 'Its sessions stay and say that their file is missing.',
        body: z.object({ ...sourceFields, ...groupId }).meta({
          examples: [
            {
              machine: 'laptop',
              assistant: 'codex',
              root: '/home/dev/.codex',
              path: 'sessions/rollout.jsonl',
            },
          ],
        }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await ingest.missing(groupOf(request).id, sourceFrom(request.body))
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/api/transcripts/watchers',
    {
      config: write,
      schema: {
        tags,
        operationId: 'reportTranscriptWatcher',
        summary: 'Report what a watcher follows and skips',
        body: reportBody,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { machine, version, started_at, roots, skipped, problem } = request.body
      const status = {
        machine,
        version,
        startedAt: started_at,
        roots: roots.map(({ behind_bytes, ...root }) => ({ ...root, behindBytes: behind_bytes })),
        skipped,
        problem,
      }
      await report(groupOf(request).id, status, principalOf(request).user?.id ?? null)
      return reply.code(204).send(null)
    },
  )
}

/** What the schema cannot express. */
function check({ source, from, to, blobs }: Segment): void {
  if (!isTranscript(source)) throw invalidField('path', 'must be a transcript of the assistant')
  if (to < from) throw invalidField('to', ['must not be less than ', { path: 'from' }])
  if (!blobs.every(hasItsHash)) throw invalidField('blobs', 'must have the SHA-256 of their data')
}

export function isTranscript({ assistant, path }: SourceName): boolean {
  const isPlain = !path.startsWith('/') && !path.split('/').includes('..')
  return isPlain && assistants.some((each) => each.id === assistant && each.source(path) !== null)
}

function hasItsHash({ sha256, data }: Blob): boolean {
  return createHash('sha256').update(data).digest('hex') === sha256
}
