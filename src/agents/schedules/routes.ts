import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Membership } from '#kernel/auth'
import { notFound } from '#kernel/errors'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { rowJson } from '#kernel/rows'
import { agentId } from '../contract.ts'
import { cronInWords } from '../shapes/cron-words.ts'
import { schedule, scheduleBody, scheduleChange, type Schedule } from '../shapes/schedule.ts'
import type { ScheduleRow } from './schedule-store.ts'
import type { Schedules } from './schedules.ts'

const tags = ['Agents']
const readers = { needs: 'read', keyNeeds: 'agents', inGroup: true } as const
/** Its runs have the rights of a person, so a person makes it. */
const people = { needs: 'person', roles: ['owner', 'admin', 'member'], inGroup: true } as const
const groupQuery = z.object({ group_id: z.uuid().optional() })
const ofAgent = z.object({ id: agentId.meta({ description: 'The ID of the agent.' }) })
const ofSchedule = ofAgent.extend({ schedule_id: z.uuid().meta({ description: 'The ID of the schedule.' }) })

export function scheduleRoutes(app: Http, schedules: Schedules): void {
  app.get(
    '/api/agents/:id/schedules',
    {
      config: readers,
      schema: {
        tags,
        operationId: 'listAgentSchedules',
        summary: 'List schedules of an agent',
        params: ofAgent,
        querystring: groupQuery,
        response: { 200: listOf(schedule) },
      },
    },
    async (request) => {
      const rows = await schedules.list(groupWithAgents(request).id, request.params.id)
      return { data: rows.map(toSchedule) }
    },
  )

  app.post(
    '/api/agents/:id/schedules',
    {
      config: { ...people, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'createAgentSchedule',
        summary: 'Create a schedule',
        description:
          'Asks the agent at every time that the expression names, with the rights of the person who makes the schedule. A time at which the run before has not ended is left out; times that were missed are made up for once.',
        params: ofAgent,
        querystring: groupQuery,
        body: scheduleBody,
        response: { 201: schedule },
      },
    },
    async (request, reply) => {
      const group = groupWithAgents(request)
      const row = await schedules.create(principalOf(request), group, request.params.id, request.body)
      return reply.code(201).send(toSchedule(row))
    },
  )

  app.patch(
    '/api/agents/:id/schedules/:schedule_id',
    {
      config: people,
      schema: {
        tags,
        operationId: 'updateAgentSchedule',
        summary: 'Update a schedule',
        description:
          'Fields that are not sent keep their values. From then on its runs have the rights of the person who changed it.',
        params: ofSchedule,
        querystring: groupQuery,
        body: scheduleChange,
        response: { 200: schedule },
      },
    },
    async (request) => {
      const { id, schedule_id } = request.params
      const [principal, group] = [principalOf(request), groupWithAgents(request)]
      return toSchedule(await schedules.change(principal, group, id, schedule_id, request.body))
    },
  )

  app.delete(
    '/api/agents/:id/schedules/:schedule_id',
    {
      config: people,
      schema: {
        tags,
        operationId: 'deleteAgentSchedule',
        summary: 'Delete a schedule',
        params: ofSchedule,
        querystring: groupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id, schedule_id } = request.params
      await schedules.remove(principalOf(request), groupWithAgents(request), id, schedule_id)
      return reply.code(204).send(null)
    },
  )
}

/** To a person without any group no agent exists. */
function groupWithAgents(request: FastifyRequest): Membership {
  if (principalOf(request).groups.length === 0) throw notFound('The agent')
  return groupOf(request)
}

const columns = [
  ...(['id', 'group_id', 'agent_id', 'cron', 'time_zone', 'request', 'enabled'] as const),
  ...(['next_at', 'last_at', 'last_run_id', 'last_error', 'created_at', 'updated_at'] as const),
]

const toSchedule = (row: ScheduleRow): Schedule => ({
  ...rowJson(row, columns),
  in_words: cronInWords(row.cron),
  runs_as: row.runs_as_name,
})
