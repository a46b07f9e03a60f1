import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { LogPage } from '#kernel/event-log'
import { admitStream, eventFrame, lastEventNumber, type Http, type RouteDocs } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { readEvents } from '../store/event-store.ts'
import { isThere } from '../store/session-store.ts'
import type { SessionRow } from '../tables.ts'
import type { RouteDeps } from './deps.ts'
import { standupEvent, type StandupEvent } from '../shapes/event.ts'
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

const eventsQuery = z.object({
  session_id: z.uuid().optional().meta({ description: 'Defaults to the open stand-up, else the last.' }),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the ID of an event')
    .optional()
    .meta({ description: 'As the header Last-Event-ID.', examples: ['4711'] }),
  ...groupId,
})

/** The log was deleted with its stand-up, so its readers report the end. */
function deletedFrame(id: number): string {
  const event: StandupEvent = {
    ...{ id, type: 'ended', created_at: new Date().toISOString() },
    ...{ reason: 'deleted', ended_by: null, artifacts: 0 },
  }
  return eventFrame(id, null, event)
}

export function streamRoutes(app: Http, { db, streams, standups, initiatives }: RouteDeps): void {
  function follow(
    request: FastifyRequest,
    reply: FastifyReply,
    session: SessionRow,
    { after, endsWithSession }: { after: number; endsWithSession: boolean },
  ): void {
    async function read(from: number, limit: number): Promise<LogPage> {
      const events = await readEvents(db, session.id, from, limit)
      if (events.length === 0 && !(await isThere(db, session.id)))
        return { frames: [], last: deletedFrame(from + 1) }
      const end = endsWithSession ? events.findIndex(({ type }) => type === 'ended') : -1
      const shown = end === -1 ? events : events.slice(0, end + 1)
      const frames = shown.map((event) => ({
        seq: event.id,
        text: eventFrame(event.id, null, event),
      }))
      return end === -1 ? { frames } : { frames, last: '' }
    }
    streams.open(request, reply, { subjectId: session.id, after, read }, { groupId: session.group_id })
  }

  app.post(
    '/api/initiatives/:id/standup',
    {
      config: {
        ...talk,
        docs: {
          ...streamed,
          noBody: true,
          errors: ['conflict', 'noProviderKey', 'modelNotFound', 'rateLimit'],
        },
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
      const after = lastEventNumber(request, undefined)
      const caller = await callerOf(request, request.params.id, initiatives.find)
      admitStream(request, reply, caller.groupId)
      const session = await standups.start(caller.groupId, caller.initiativeId, caller.author)
      follow(request, reply, session, { after, endsWithSession: true })
    },
  )

  app.get(
    '/api/initiatives/:id/standup/events',
    {
      config: { ...read, docs: { ...streamed, errors: ['rateLimit'] } },
      schema: {
        tags,
        operationId: 'streamStandup',
        summary: 'Stream the events of a stand-up',
        description: `${resumes} The stream stays open after the end, for what is approved and rejected, until the initiative is deleted.`,
        params,
        querystring: eventsQuery,
      },
    },
    async (request, reply) => {
      const after = lastEventNumber(request, request.query.after)
      const { groupId, initiativeId } = await callerOf(request, request.params.id, initiatives.find)
      const session = await standups.find(initiativeId, request.query.session_id)
      admitStream(request, reply, groupId)
      follow(request, reply, session, { after, endsWithSession: false })
    },
  )
}
