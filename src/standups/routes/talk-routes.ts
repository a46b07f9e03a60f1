import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import {
  ended,
  endBody,
  inviteBody,
  invitedGuests,
  messageAccepted,
  messageBody,
  research,
  researchBody,
} from '../contract.ts'
import type { RouteDeps } from './deps.ts'
import { callerOf, forPeople, inGroupQuery, personOf, params, signalOf, tags, talk } from './shared.ts'

const config = { ...talk, docs: { errors: ['conflict'] } } as const

/** What a person does in an open stand-up. */
export function talkRoutes(app: Http, { standups, initiatives, members }: RouteDeps): void {
  app.post(
    '/api/initiatives/:id/standup/message',
    {
      config,
      schema: {
        tags,
        operationId: 'sendStandupMessage',
        summary: 'Say something in the stand-up',
        description: 'The message and the response come as events.',
        params,
        querystring: inGroupQuery,
        body: messageBody,
        response: { 202: messageAccepted },
      },
    },
    async (request, reply) => {
      const { initiativeId, author } = await callerOf(request, request.params.id, initiatives.find)
      const message_id = await standups.say(initiativeId, author, request.body.content)
      return reply.code(202).send({ message_id })
    },
  )

  app.post(
    '/api/initiatives/:id/standup/invite',
    {
      config: { ...forPeople, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'inviteToStandup',
        summary: 'Let somebody else speak in the stand-up',
        description: 'By the person who started it, or another guest. Other members of the group only read.',
        params,
        querystring: inGroupQuery,
        body: inviteBody,
        response: { 200: invitedGuests },
      },
    },
    async (request) => {
      const { initiativeId, author, groupId } = await personOf(request, request.params.id, initiatives.find)
      const group = await members(principalOf(request), groupId)
      return { invited: await standups.invite(initiativeId, author, group, request.body.user_id) }
    },
  )

  app.post(
    '/api/initiatives/:id/standup/interrupt',
    {
      config: { ...talk, docs: { errors: ['conflict'], noBody: true } },
      schema: {
        tags,
        operationId: 'interruptStandup',
        summary: 'Stop the agent in the middle of its response',
        description: 'The text it has written so far stays. The stand-up continues with the next message.',
        params,
        querystring: inGroupQuery,
        response: {
          202: z.object({
            interrupted: z.boolean().meta({ description: 'False: the agent was not working.' }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { initiativeId, author } = await callerOf(request, request.params.id, initiatives.find)
      return reply.code(202).send({ interrupted: await standups.interrupt(initiativeId, author) })
    },
  )

  app.post(
    '/api/initiatives/:id/standup/research',
    {
      config,
      schema: {
        tags,
        operationId: 'researchInStandup',
        summary: 'Look something up',
        description:
          'Searches what Signalbox holds by meaning and by words, and the web where the group has a key for a ' +
          'model that searches it. The results also come as an event.',
        params,
        querystring: inGroupQuery,
        body: researchBody,
        response: { 200: research },
      },
    },
    async (request, reply) => {
      const { initiativeId, author } = await callerOf(request, request.params.id, initiatives.find)
      return standups.research(initiativeId, author, request.body.query, signalOf(reply))
    },
  )

  app.post(
    '/api/initiatives/:id/standup/end',
    {
      config,
      schema: {
        tags,
        operationId: 'endStandup',
        summary: 'End the stand-up',
        description:
          'Drafts the documents unless `generate_artifacts` is false. Nothing of the initiative changes.',
        params,
        querystring: inGroupQuery,
        body: endBody.nullish(),
        response: { 200: ended },
      },
    },
    async (request) => {
      const { initiativeId, author } = await callerOf(request, request.params.id, initiatives.find)
      const by = { author, role: groupOf(request).role }
      return standups.end(initiativeId, by, request.body?.generate_artifacts ?? true)
    },
  )
}
