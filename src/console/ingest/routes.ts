import { z } from 'zod'
import { groupOf, keepBytes, prepareJson, type Http, type RouteDocs } from '#kernel/http'
import { reportedTypes, severities } from '../contract.ts'
import type { EventDraft } from '../event.ts'
import { groupId } from '#kernel/paging'
import { isJson, unpack } from './body.ts'
import { readBody } from './read-body.ts'

export interface IngestDeps {
  maxBytes: number
  /** Stores the events and returns their ids, and how many were stored before. */
  accept(groupId: string, drafts: readonly EventDraft[]): Promise<{ ids: string[]; duplicates: number }>
}

const event = z.object({
  type: z.enum(reportedTypes),
  severity: z.enum(severities).default('info'),
  service: z.string().nullish(),
  source: z.string().default('api'),
  title: z.string(),
  message: z.string().default(''),
  metadata: z.record(z.string(), z.unknown()).default({}),
  created_at: z.string().optional().meta({ format: 'date-time' }),
})
const example = {
  type: 'deployment',
  severity: 'info',
  service: 'payments',
  source: 'deployments',
  title: 'Deployed payments 1.4.2',
  message: 'Finished in 74 s.',
  metadata: { commit: '9fceb02' },
}
const cloudEvent = {
  specversion: '1.0',
  id: '9fceb02',
  source: '/ci/payments',
  type: 'com.example.deployment.finished',
  time: '2026-11-16T12:00:00Z',
  data: { title: 'Deployed payments 1.4.2' },
}
const anyEvent = z.record(z.string(), z.unknown())

const docs: RouteDocs = {
  body: {
    'application/json': {
      schema: z.union([event, z.array(event).max(1_000)]),
      examples: {
        one: { summary: 'One event', value: example },
        several: { summary: 'Several events', value: [example] },
      },
    },
    'application/x-ndjson': { schema: z.string(), example: `${JSON.stringify(example)}\n` },
    'application/cloudevents+json': { schema: anyEvent, example: cloudEvent },
    'application/cloudevents-batch+json': { schema: z.array(anyEvent), example: [cloudEvent] },
  },
  errors: ['requestTooLarge', 'unsupportedMediaType', 'unavailable'],
}

const accepted = z.object({
  accepted: z.int().meta({ examples: [1] }),
  ids: z.array(z.uuid()),
  duplicates: z.int().meta({ description: 'How many of them had been sent before.', examples: [0] }),
})

/** In a scope of its own: here a body of any type is read as bytes. */
export function ingestRoutes(app: Http, { maxBytes, accept }: IngestDeps): void {
  void app.register((scope: Http, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', keepBytes)
    scope.post(
      '/api/console/events',
      {
        config: { needs: 'events', inGroup: true, anyFields: 'They are kept in the metadata.', docs },
        schema: {
          tags: ['Console'],
          operationId: 'sendEvents',
          summary: 'Send events',
          description:
            'One event, an array, lines of JSON, or CloudEvents 1.0 (structured, batch or binary); at most 1,000 per ' +
            'call. The response comes when they are stored. One that is not valid refuses the whole call. A CloudEvent ' +
            'with a source and id that were sent before is not stored again.',
          querystring: z.object(groupId),
          response: { 202: accepted },
        },
      },
      async (request, reply) => {
        const bytes = await unpack(request, reply, maxBytes)
        if (isJson(request)) await prepareJson(bytes, request)
        const body = await readBody(request, bytes)
        request.body = { group_id: body.groupId }
        const { ids, duplicates } = await accept(groupOf(request).id, body.drafts)
        return reply.code(202).send({ accepted: ids.length, ids, duplicates })
      },
    )
    done()
  })
}
