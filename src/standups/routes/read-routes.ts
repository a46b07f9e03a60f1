import { z } from 'zod'
import { Fault, invalidField, notFound } from '#kernel/errors'
import { pageOf, type Http } from '#kernel/http'
import { fields } from '#records/contract'
import { currentStandup, standup, standupSummary, type CurrentStandup } from '../contract.ts'
import * as store from '../store/session-store.ts'
import type { SessionRow } from '../tables.ts'
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
        querystring: fields.onlyKnown(z.object(fields.paging)),
        response: { 200: pageOf(standupSummary) },
      },
    },
    async (request) => {
      const { groupId, initiativeId } = await callerOf(request, request.params.id, initiatives.find)
      const { limit, cursor } = request.query
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const rows = await store.listSessions(db, initiativeId, { after, limit: limit + 1 })
      const last = rows[limit - 1]
      return {
        data: await views.summaries(groupId, rows.slice(0, limit)),
        next_cursor: rows.length > limit && last ? cursorOf(last) : null,
      }
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

const cursorOf = ({ started_at, id }: SessionRow): string => `${started_at.getTime().toString(36)}.${id}`

function readCursor(cursor: string): { at: Date; id: string } {
  const [time = '', id = ''] = cursor.split('.')
  const at = new Date(Number.parseInt(time, 36))
  if (!/^[0-9a-z]{1,9}$/.test(time) || Number.isNaN(at.getTime()) || !z.uuid().safeParse(id).success)
    throw invalidField('cursor', 'must be the next_cursor of a page')
  return { at, id }
}
