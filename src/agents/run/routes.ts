import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Membership } from '#kernel/auth'
import { notFound } from '#kernel/errors'
import type { LogStreams } from '#kernel/event-log'
import { admitStream, groupOf, lastEventNumber, principalOf, whenClosed, type Http } from '#kernel/http'
import { cutPage, pageOf, paging, placeCursor, readPlace } from '#kernel/paging'
import type { Assign } from './assign.ts'
import { answerDocs, askDocs, assignDocs, eventDocs } from './route-docs.ts'
import type { Runs } from './runs.ts'
import { agentId } from '../contract.ts'
import type { AgentTables } from '../tables.ts'
import { answerBody, askBody, assignBody, continueBody } from '../shapes/ask.ts'
import { run, runStatuses, type Run } from '../shapes/run.ts'
import { eventsOf } from './event-stream.ts'
import { toRun } from './to-run.ts'

const tags = ['Agents']
const agents = { needs: 'agents', inGroup: true } as const
/** Viewers see what agents do; a key needs the scope for it. */
const readers = { needs: 'read', keyNeeds: 'agents', inGroup: true } as const
const groupQuery = z.object({ group_id: z.uuid().optional() })
const runParams = z.object({ run_id: z.uuid().meta({ description: 'The ID of the run.' }) })

interface Following {
  db: Kysely<AgentTables>
  streams: LogStreams
}

export function runRoutes(app: Http, runs: Runs, assign: Assign, following: Following): void {
  askRoute(app, runs, following)
  assignRoute(app, assign)
  readRoutes(app, runs, following)
  changeRoutes(app, runs)
}

function askRoute(app: Http, runs: Runs, { db, streams }: Following): void {
  app.post(
    '/api/agents/:id/ask',
    {
      config: { ...agents, forRuns: true, docs: askDocs },
      schema: {
        tags,
        operationId: 'askAgent',
        summary: 'Ask an agent',
        description:
          'Starts a run and returns it when it ended or waits for a person; with `async` at once (202). With `Accept: text/event-stream` the response is the events of the run, and as the last one, `run`, the whole of it. A run goes on when the client disconnects.',
        params: z.object({ id: agentId.meta({ description: 'The ID of the agent.' }) }),
        querystring: groupQuery,
        body: askBody,
        response: { 200: run, 202: run },
      },
    },
    async (request, reply) => {
      const group = groupWithRuns(request, 'The agent')
      const isStreamed = wantsEvents(request) && !request.body.async
      if (isStreamed) admitStream(request, reply, group.id)
      const asked = await runs.ask(principalOf(request), group, request.params.id, request.body)
      if (request.body.async) return reply.code(202).send(toRun(asked))
      if (!isStreamed) return toRun(await runs.untilSettled(asked, closedOf(reply)))
      const followed = eventsOf(db, asked, { after: 0, endsWithRun: true })
      streams.open(request, reply, followed, { groupId: group.id, isOnce: true })
      return reply
    },
  )

  app.post(
    '/api/agent-runs/:run_id/continue',
    {
      config: { ...agents, docs: askDocs },
      schema: {
        tags,
        operationId: 'continueAgentRun',
        summary: 'Continue a run',
        description:
          'A new message to a run that has ended: the same conversation, with the agent as it is now. Returns as the request that asked it does; the events are those from here on.',
        params: runParams,
        querystring: groupQuery,
        body: continueBody,
        response: { 200: run, 202: run },
      },
    },
    async (request, reply) => {
      const group = groupWithRuns(request)
      const isStreamed = wantsEvents(request) && !request.body.async
      if (isStreamed) admitStream(request, reply, group.id)
      const id = request.params.run_id
      const { row, after } = await runs.continue(principalOf(request), group, id, request.body)
      if (request.body.async) return reply.code(202).send(toRun(row))
      if (!isStreamed) return toRun(await runs.untilSettled(row, closedOf(reply)))
      const followed = eventsOf(db, row, { after, endsWithRun: true })
      streams.open(request, reply, followed, { groupId: group.id, isOnce: true })
      return reply
    },
  )
}

function assignRoute(app: Http, assign: Assign): void {
  app.post(
    '/api/tickets/:id/assign',
    {
      config: { ...agents, docs: assignDocs },
      schema: {
        tags,
        operationId: 'assignTicket',
        summary: 'Assign a ticket to an agent',
        description:
          'Starts a run that gets the title, the description and the link of the ticket, marked as data. The ticket has its state, and its result when it has ended. 409 while another run works on it.',
        params: z.object({ id: z.uuid().meta({ description: 'The ID of the ticket.' }) }),
        querystring: groupQuery,
        body: assignBody,
        response: { 202: run },
      },
    },
    async (request, reply) => {
      const group = groupWithRuns(request, 'The ticket')
      const row = await assign(principalOf(request), group, request.params.id, request.body)
      return reply.code(202).send(toRun(row))
    },
  )
}

function readRoutes(app: Http, runs: Runs, { db, streams }: Following): void {
  app.get(
    '/api/agent-runs',
    {
      config: readers,
      schema: {
        tags,
        operationId: 'listAgentRuns',
        summary: 'List runs',
        description: 'The runs of the group, newest first.',
        querystring: listQuery,
        response: { 200: pageOf(run) },
      },
    },
    async (request) => {
      const { agent_id: id, started_by: startedBy, status, limit, cursor } = request.query
      const rows = await runs.list({
        groupId: groupOf(request).id,
        agentId: id,
        startedBy,
        status,
        before: readPlace(cursor),
        limit: limit + 1,
      })
      return cutPage(rows, limit, ({ created_at, id: last }) => placeCursor(created_at, last), toRun)
    },
  )

  app.get(
    '/api/agent-runs/:run_id',
    {
      config: { ...readers, forRuns: true },
      schema: {
        tags,
        operationId: 'getAgentRun',
        summary: 'Get a run',
        params: runParams,
        querystring: groupQuery,
        response: { 200: run },
      },
    },
    async (request): Promise<Run> => toRun(await runs.find(groupWithRuns(request).id, request.params.run_id)),
  )

  app.get(
    '/api/agent-runs/:run_id/events',
    {
      config: { ...readers, docs: eventDocs },
      schema: {
        tags,
        operationId: 'streamAgentRun',
        summary: 'Stream the events of a run',
        description:
          'Server-sent events: everything from the start of the run, or from behind `Last-Event-ID` or `after`, then what happens, until the run has ended. `event` is the type, `id` the number. A comment comes every 15 seconds.',
        params: runParams,
        querystring: groupQuery.extend({
          after: z
            .string()
            .regex(/^\d{1,15}$/, 'must be the number of an event')
            .optional()
            .meta({
              description: 'Continue behind this event; as the header Last-Event-ID.',
              examples: ['0'],
            }),
        }),
      },
    },
    async (request, reply) => {
      const group = groupWithRuns(request)
      const row = await runs.find(group.id, request.params.run_id)
      const after = lastEventNumber(request, request.query.after)
      admitStream(request, reply, group.id)
      const followed = eventsOf(db, row, { after, endsWithRun: false })
      streams.open(request, reply, followed, { groupId: group.id })
      return reply
    },
  )
}

function changeRoutes(app: Http, runs: Runs): void {
  app.post(
    '/api/agent-runs/:run_id/cancel',
    {
      config: { ...agents, docs: { noBody: true } },
      schema: {
        tags,
        operationId: 'cancelAgentRun',
        summary: 'Cancel a run',
        description: 'Ends it and every process of it. A run that has ended already is returned as it is.',
        params: runParams,
        querystring: groupQuery,
        response: { 200: run },
      },
    },
    async (request) => toRun(await runs.cancel(groupWithRuns(request), request.params.run_id)),
  )

  app.post(
    '/api/agent-runs/:run_id/answer',
    {
      config: {
        needs: 'person',
        roles: ['owner', 'admin', 'member'],
        inGroup: true,
        docs: answerDocs,
      },
      schema: {
        tags,
        operationId: 'answerAgentRun',
        summary: 'Answer a run',
        description:
          'Where a run waits for a tool or asked a question, by a person who is signed in, never by a key. An approval of the SQL proxy is decided there.',
        params: runParams,
        querystring: groupQuery,
        body: answerBody,
        response: { 200: run },
      },
    },
    async (request) => {
      const [principal, group] = [principalOf(request), groupWithRuns(request)]
      return toRun(await runs.answer(principal, group, request.params.run_id, request.body))
    },
  )
}

const listQuery = z.object({
  agent_id: z.string().max(63).optional().meta({ description: 'Only runs of this agent.' }),
  started_by: z.uuid().optional().meta({ description: 'Only runs that this person started.' }),
  status: z.enum(runStatuses).optional().meta({ description: 'Only runs with this status.' }),
  ...paging(200),
})

/** To a person without any group nothing exists. */
function groupWithRuns(request: FastifyRequest, what = 'The run'): Membership {
  if (principalOf(request).groups.length === 0) throw notFound(what)
  return groupOf(request)
}

const wantsEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') ?? false

/** Aborted when the client disconnects. */
function closedOf(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  whenClosed(reply.raw, () => closed.abort())
  return closed.signal
}
