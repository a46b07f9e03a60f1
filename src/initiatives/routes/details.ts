import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { requireRole } from '#kernel/auth'
import { groupOf, type Http } from '#kernel/http'
import { authorOf } from '../author.ts'
import {
  criterionBody,
  criterionChange,
  decisionBody,
  decisionChange,
  findingBody,
  initiative,
  linkBody,
  questionBody,
  questionChange,
  type Initiative,
} from '../contract.ts'
import type { Details } from '../details.ts'
import type { Initiatives } from '../initiatives.ts'
import type { Detail } from '../store/detail-store.ts'
import {
  byPeopleOnly,
  detailParams,
  groupFor,
  inGroupQuery,
  params,
  tags,
  write,
  writeByPeople,
} from './shared.ts'

interface Place {
  groupId: string
  initiativeId: string
}

/** Adding, changing and removing what belongs to an initiative; each returns the whole of it. */
export function detailRoutes(
  app: Http,
  { initiatives, details }: { initiatives: Initiatives; details: Details },
): void {
  async function within(
    request: FastifyRequest,
    idOrSlug: string,
    work: (place: Place) => Promise<unknown>,
  ): Promise<Initiative> {
    const groupId = groupFor(request)
    const { id } = await initiatives.find(groupId, idOrSlug)
    await work({ groupId, initiativeId: id })
    return initiatives.get(groupId, id)
  }

  const adding = <T extends z.ZodType>(noun: string, body: T) => ({
    tags,
    operationId: `add${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
    summary: `Add a ${noun} to an initiative`,
    params,
    querystring: inGroupQuery,
    body,
    response: { 201: initiative },
  })
  const changing = <T extends z.ZodType>(noun: string, body: T) => ({
    tags,
    operationId: `update${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
    summary: `Update a ${noun} of an initiative`,
    params: detailParams,
    querystring: inGroupQuery,
    body,
    response: { 200: initiative },
  })

  app.post(
    '/api/initiatives/:id/criteria',
    { config: write, schema: adding('criterion', criterionBody) },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await within(request, request.params.id, ({ initiativeId }) =>
            details.addCriterion(initiativeId, authorOf(request), request.body),
          ),
        ),
  )
  app.patch(
    '/api/initiatives/:id/criteria/:detail',
    { config: byPeopleOnly, schema: changing('criterion', criterionChange) },
    async (request) =>
      within(request, request.params.id, ({ initiativeId }) => {
        requireRole(groupOf(request), ...byPeopleOnly.roles)
        return details.changeCriterion(initiativeId, authorOf(request), request.params.detail, request.body)
      }),
  )
  app.post(
    '/api/initiatives/:id/findings',
    { config: write, schema: adding('finding', findingBody) },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await within(request, request.params.id, ({ initiativeId }) =>
            details.addFinding(initiativeId, authorOf(request), request.body),
          ),
        ),
  )
  app.post(
    '/api/initiatives/:id/questions',
    { config: write, schema: adding('question', questionBody) },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await within(request, request.params.id, ({ initiativeId }) =>
            details.addQuestion(initiativeId, authorOf(request), request.body),
          ),
        ),
  )
  app.patch(
    '/api/initiatives/:id/questions/:detail',
    { config: writeByPeople, schema: changing('question', questionChange) },
    async (request) =>
      within(request, request.params.id, ({ initiativeId }) =>
        details.changeQuestion(initiativeId, authorOf(request), request.params.detail, request.body),
      ),
  )
  app.post(
    '/api/initiatives/:id/links',
    { config: write, schema: adding('link', linkBody) },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await within(request, request.params.id, ({ initiativeId }) =>
            details.addLink(initiativeId, request.body),
          ),
        ),
  )
  app.post(
    '/api/initiatives/:id/decisions',
    { config: writeByPeople, schema: adding('decision', decisionBody) },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await within(request, request.params.id, (place) =>
            details.addDecision(place, authorOf(request), request.body),
          ),
        ),
  )
  app.patch(
    '/api/initiatives/:id/decisions/:detail',
    { config: writeByPeople, schema: changing('decision', decisionChange) },
    async (request) =>
      within(request, request.params.id, ({ initiativeId }) =>
        details.changeDecision(initiativeId, request.params.detail, request.body.status),
      ),
  )

  for (const [detail, noun] of removable)
    app.delete(
      `/api/initiatives/:id/${detail}/:detail`,
      {
        config: writeByPeople,
        schema: {
          tags,
          operationId: `remove${noun}`,
          summary: `Remove a ${noun.toLowerCase()} from an initiative`,
          params: detailParams,
          querystring: inGroupQuery,
          response: { 200: initiative },
        },
      },
      async (request) =>
        within(request, request.params.id, ({ initiativeId }) =>
          details.remove(detail, initiativeId, request.params.detail),
        ),
    )
}

const removable: readonly (readonly [Detail, string])[] = [
  ['criteria', 'Criterion'],
  ['findings', 'Finding'],
  ['questions', 'Question'],
  ['links', 'Link'],
]
