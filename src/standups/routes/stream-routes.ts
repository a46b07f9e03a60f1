import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { Fault, faults, invalidField } from '#kernel/errors'
import { isStillAllowed, type Http, type RouteDocs } from '#kernel/http'
import { fields } from '#records/contract'
import { eventJson } from '../json.ts'
import { readEvents } from '../store/event-store.ts'
import { StandupReader } from '../stream/reader.ts'
import type { SessionRow } from '../tables.ts'
import type { RouteDeps } from './deps.ts'
import { standupEvent } from '../shapes/event.ts'
import { callerOf, inGroupQuery, params, read, tags, talk } from './shared.ts'

const streamed: RouteDocs = {
  response: {
    200: {
      description:
        'Events of the stand-up, from the beginning or after the one that was named, then as they come. The schema describes the data of each.',
      content: {
        'text/event-stream': { schema: standupEvent },
      },
    },
  },
}

const resumes =
  'Server-sent events: `data` is the event as JSON and `id` its ID. With `Last-Event-ID` the stream continues ' +
  'behind that event. A comment comes every 15 seconds.'

const eventsQuery = fields.onlyKnown(
  z.object({
    session_id: z.uuid().optional().meta({ description: 'Defaults to the open stand-up, else the last.' }),
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the ID of an event')
      .optional()
      .meta({ description: 'As the header Last-Event-ID.', examples: ['4711'] }),
    ...fields.groupId,
  }),
)

export function streamRoutes(app: Http, { db, hub, standups, initiatives }: RouteDeps): void {
  function follow(
    request: FastifyRequest,
    reply: FastifyReply,
    session: SessionRow,
    stream: { position: number; endsWithSession: boolean },
  ): void {
    if (hub.isStopped) throw new Fault(faults.unavailable, 'The server is stopping.')
    void reply.hijack()
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    new StandupReader({
      hub,
      response: reply.raw,
      sessionId: session.id,
      read: async (after, limit) => (await readEvents(db, session.id, after, limit)).map(eventJson),
      isAllowed: () => isStillAllowed(request, session.group_id),
      ...stream,
    }).open()
  }

  app.post(
    '/api/initiatives/:id/standup',
    {
      config: {
        ...talk,
        docs: { ...streamed, noBody: true, errors: ['conflict', 'noProviderKey', 'modelNotFound'] },
      },
      schema: {
        tags,
        operationId: 'startStandup',
        summary: 'Start a stand-up, or join the open one',
        description: `${resumes} The stream ends with the stand-up. The agent works on when nobody listens.`,
        params,
        querystring: inGroupQuery,
      },
    },
    async (request, reply) => {
      const position = positionOf(request, undefined)
      const caller = await callerOf(request, request.params.id, initiatives.find)
      const session = await standups.start(caller.groupId, caller.initiativeId, caller.author)
      follow(request, reply, session, { position, endsWithSession: true })
    },
  )

  app.get(
    '/api/initiatives/:id/standup/events',
    {
      config: { ...read, docs: streamed },
      schema: {
        tags,
        operationId: 'streamStandup',
        summary: 'Stream the events of a stand-up',
        description: `${resumes} The stream stays open after the end, for what is approved and rejected.`,
        params,
        querystring: eventsQuery,
      },
    },
    async (request, reply) => {
      const position = positionOf(request, request.query.after)
      const { initiativeId } = await callerOf(request, request.params.id, initiatives.find)
      const session = await standups.find(initiativeId, request.query.session_id)
      follow(request, reply, session, { position, endsWithSession: false })
    },
  )
}

function positionOf(request: FastifyRequest, after: string | undefined): number {
  const header = request.headers['last-event-id']
  const given = typeof header === 'string' && header !== '' ? header : after
  if (given === undefined) return 0
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw invalidField('Last-Event-ID', 'must be the ID of an event')
}
