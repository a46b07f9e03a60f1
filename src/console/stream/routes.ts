import { z } from 'zod'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { invalidField } from '#kernel/errors'
import { admitStream, EventStream, groupOf, lastEventId, type Http, type RouteDocs } from '#kernel/http'
import { isEventId } from '../event-id.ts'
import { filterFields, metadataField, parseFilter } from '../query.ts'
import { findEvent } from '../store/event-store.ts'
import { positionFrame } from './frames.ts'
import type { StreamHub } from './hub.ts'
import { StreamReader } from './reader.ts'

const docs: RouteDocs = {
  response: {
    200: {
      description: 'Events as they arrive.',
      content: {
        'text/event-stream': {
          schema: z.string(),
          example:
            'retry: 2000\n\nid: 4711\nevent: deployment\ndata: {"id":"0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f","type":"deployment","title":"Deployed payments 1.4.2"}\n\n',
        },
      },
    },
  },
}

const streamQuery = z.object({
  ...filterFields,
  ...metadataField,
  after: z
    .string()
    .optional()
    .meta({
      description: 'Continue behind this sequence, or this id of an event; as the header Last-Event-ID.',
      examples: ['4711'],
    }),
})

export function streamRoutes(app: Http, pool: pg.Pool, hub: StreamHub): void {
  // Streams stay open: without this, a stop would wait for all of them.
  app.addHook('preClose', (done) => {
    hub.stop()
    done()
  })

  app.get(
    '/api/console/stream',
    {
      config: { needs: 'read', inGroup: true, docs: { ...docs, errors: ['rateLimit'] } },
      schema: {
        tags: ['Console'],
        operationId: 'streamEvents',
        summary: 'Stream events as they arrive',
        description:
          'Server-sent events: `id` is the sequence, `event` the type, `data` the event. With `Last-Event-ID` or ' +
          '`after` the stream continues where it was, for up to 5,000 missed events. An event `gap` says which ' +
          'sequences were left out: `{ from, to, count }`. A comment comes every 15 seconds.',
        querystring: streamQuery,
      },
    },
    async (request, reply) => {
      const { id: groupId } = groupOf(request)
      const filter = parseFilter(groupId, request.query)
      const after = await positionOf(request, pool, groupId)
      admitStream(request, reply, groupId)
      const group = await hub.open(groupId)
      // A position from before the database was replaced would wait for ever.
      const position = Math.min(after ?? group.head, group.head)
      const greeting = positionFrame('connected', position)
      const stream = new EventStream(request, reply, { groupId, greeting })
      new StreamReader({ pool, group, stream, filter, position }).open()
    },
  )
}

async function positionOf(
  request: FastifyRequest<{ Querystring: { after?: string | undefined } }>,
  pool: pg.Pool,
  groupId: string,
): Promise<number | null> {
  const given = lastEventId(request, request.query.after)
  if (given === undefined) return null
  if (/^\d{1,15}$/.test(given)) return Number(given)
  const event = isEventId(given) ? await findEvent(pool, groupId, given) : undefined
  if (!event)
    throw invalidField(
      given === request.query.after ? 'after' : 'Last-Event-ID',
      'must be the sequence or the id of an event',
    )
  return event.sequence
}
