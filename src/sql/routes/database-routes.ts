import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import {
  databaseBody,
  databaseChanges,
  offeredDatabase,
  setupBody,
  type OfferedDatabase,
} from '../contract.ts'
import type { Availability } from '../database/availability.ts'
import type { Databases } from '../database/databases.ts'
import { shownAddress, type Place } from '../database/places.ts'
import { purposeOf } from '../database/purposes.ts'

const tags = ['SQL']
const params = z.object({
  name: z
    .string()
    .max(63)
    .meta({ description: 'The name of the database.', examples: ['shop'] }),
})
const querystring = z.object(groupId)
const admins = { needs: 'person', roles: ['admin', 'owner'], inGroup: true } as const

const scriptDocs = {
  description: 'The script.',
  content: { 'text/plain': { schema: z.string(), example: 'begin;\n…\ncommit;\n' } },
}

export interface DatabaseRoutesDeps {
  databases: Databases
  availability(place: Place): Promise<Availability>
}

/** The databases of a group, and their set-up. */
export function databaseRoutes(app: Http, { databases, availability }: DatabaseRoutesDeps): void {
  const actorOf = (request: FastifyRequest) => ({ principal: principalOf(request), group: groupOf(request) })
  const shown = async (request: FastifyRequest, place: Place): Promise<OfferedDatabase> =>
    toJson(
      place,
      await availability(place),
      isAdmin(request),
      (await databases.masksOf(place.groupId)).get(place.name) ?? [],
    )

  app.get(
    '/api/v1/sql/databases',
    {
      config: { needs: 'sql', inGroup: true, forRuns: true },
      schema: {
        tags,
        operationId: 'listSqlDatabases',
        summary: 'List databases',
        description:
          'Those of the server belong to the first group; every group has those that it added. Each is tried now.',
        querystring,
        response: { 200: listOf(offeredDatabase) },
      },
    },
    async (request) => {
      const places = await databases.list(groupOf(request).id)
      return { data: await Promise.all(places.map((place) => shown(request, place))) }
    },
  )

  app.post(
    '/api/v1/sql/databases',
    {
      config: { ...admins, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'addSqlDatabase',
        summary: 'Add a database',
        description:
          'For admins and owners who are signed in, never for a key. The database is tried, and added also if it cannot be used yet: `available` says what is missing.',
        body: databaseBody,
        response: { 201: offeredDatabase },
      },
    },
    async (request, reply) => {
      const place = await databases.add(actorOf(request), request.body)
      return reply.code(201).send(await shown(request, place))
    },
  )

  app.patch(
    '/api/v1/sql/databases/:name',
    {
      config: { ...admins, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'changeSqlDatabase',
        summary: 'Change a database',
        description:
          'Fields that are not sent keep their values. After a change of `schemas`, set it up again.',
        params,
        body: databaseChanges,
        response: { 200: offeredDatabase },
      },
    },
    async (request) =>
      shown(request, await databases.change(actorOf(request), request.params.name, request.body)),
  )

  app.delete(
    '/api/v1/sql/databases/:name',
    {
      config: { ...admins, docs: { noBody: true, errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'removeSqlDatabase',
        summary: 'Remove a database',
        description:
          'Signalbox forgets its address and logins. Roles and rights in the database itself stay.',
        params,
        querystring,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await databases.remove(actorOf(request), request.params.name)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v1/sql/databases/:name/test',
    {
      config: { ...admins, docs: { noBody: true } },
      schema: {
        tags,
        operationId: 'testSqlDatabase',
        summary: 'Test a database',
        description: 'Logs in now and returns what can be done.',
        params,
        querystring,
        response: { 200: offeredDatabase },
      },
    },
    async (request) => shown(request, await databases.find(actorOf(request), request.params.name)),
  )

  app.get(
    '/api/v1/sql/databases/:name/setup',
    {
      config: { ...admins, docs: { errors: ['conflict'], response: { 200: scriptDocs } } },
      schema: {
        tags,
        operationId: 'getSqlDatabaseSetup',
        summary: 'Get the set-up script',
        description:
          'SQL for an administrator of the database to read and run. It has no passwords, only their verifiers. The roles are used once they can log in.',
        params,
        querystring,
        response: { 200: z.string() },
      },
    },
    async (request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(await databases.script(actorOf(request), request.params.name)),
  )

  app.post(
    '/api/v1/sql/databases/:name/setup',
    {
      config: { ...admins, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'setUpSqlDatabase',
        summary: 'Set up a database',
        description:
          "Creates the roles of the agents and gives them their rights, with an administrator's address that is used once and not stored. A set-up that fails leaves everything as it was.",
        params,
        body: setupBody.nullish(),
        response: { 200: offeredDatabase },
      },
    },
    async (request) =>
      shown(request, await databases.setUp(actorOf(request), request.params.name, request.body?.url)),
  )
}

/** Keys, members and viewers learn what they can use, not where it is. */
function isAdmin(request: FastifyRequest): boolean {
  const { role } = groupOf(request)
  return principalOf(request).key === undefined && (role === 'admin' || role === 'owner')
}

function toJson(
  place: Place,
  available: Availability,
  isShown: boolean,
  maskedColumns: string[],
): OfferedDatabase {
  const { name, row, environment, schemas } = place
  const address = isShown && !place.isOurs ? shownAddress(place.address) : null
  return {
    name,
    purpose: purposeOf(place),
    source: row ? 'group' : 'server',
    environment,
    schemas: [...schemas],
    masked_columns: maskedColumns,
    host: address?.host ?? null,
    port: address?.port ?? null,
    database: address?.database ?? null,
    login: address?.login ?? null,
    is_set_up: place.isSetUp,
    available,
    is_available: available.read.ok,
    problem: available.read.reason,
    created_at: row?.created_at.toISOString() ?? null,
  }
}
