import { z } from 'zod'
import { Fault, notFound } from '#kernel/errors'
import { type Http } from '#kernel/http'
import { cutPage, pageOf, paging, placeCursor, readPlace } from '#kernel/paging'
import { currentStandup, standup, standupSummary, type CurrentStandup } from '../contract.ts'
import * as store from '../store/session-store.ts'
import type { RouteDeps } from './deps.ts'
import { callerOf, inGroupQuery, params, read, sessionParams, tags } from './shared.ts'

/** Stand-ups as they are and were. */
export function readRoutes(app: Http, { db, initiatives, views, model, checkModel }: RouteDeps): void {
  app.get(
    '/api/initiatives/:id/standup',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getStandup',
        summary: 'Get the open stand-up, else the last',
        description: 'With everything that was said, and whether one can be started.',
        params,
        querystring: inGroupQuery,
        response: { 200: currentStandup },
      },
    },
    async (request): Promise<CurrentStandup> => {
      const { groupId, initiativeId } = await callerOf(request, request.params.id, initiatives.find)
      const row = (await store.findOpen(db, initiativeId)) ?? (await store.findLast(db, initiativeId))
      const problem = await checkModel(groupId).then(
        () => null,
        (error: unknown) => {
          if (error instanceof Fault) return { code: error.code, message: error.message }
          throw error
        },
      )
      return { session: row ? await views.whole(row) : null, model: await model(groupId), problem }
    },
  )

  app.get(
    '/api/initiatives/:id/standups',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listStandups',
        summary: 'List the stand-ups of an initiative',
        description: 'Newest first.',
        params,
        querystring: z.object(paging(500)),
        response: { 200: pageOf(standupSummary) },
      },
    },
    async (request) => {
      const { groupId, initiativeId } = await callerOf(request, request.params.id, initiatives.find)
      const { limit, cursor } = request.query
      const after = readPlace(cursor)
      const rows = await store.listSessions(db, initiativeId, { after, limit: limit + 1 })
      const page = cutPage(rows, limit, ({ started_at, id }) => placeCursor(started_at, id))
      return { ...page, data: await views.summaries(groupId, page.data) }
    },
  )

  app.get(
    '/api/initiatives/:id/standups/:session_id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getStandupById',
        summary: 'Get a stand-up',
        description: 'With its events, proposals and drafts.',
        params: sessionParams,
        querystring: inGroupQuery,
        response: { 200: standup },
      },
    },
    async (request) => {
      const { initiativeId } = await callerOf(request, request.params.id, initiatives.find)
      const row = await store.findSession(db, initiativeId, request.params.session_id)
      if (!row) throw notFound('The stand-up')
      return views.whole(row)
    },
  )
}
