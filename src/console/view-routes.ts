import { z } from 'zod'
import type pg from 'pg'
import { Fault, faults, notFound } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { savedView, savedViewInput, type SavedView } from './contract.ts'
import { newEventId } from './event-id.ts'
import { groupId } from '#kernel/paging'
import { deleteView, listViews, saveView, type ViewRow } from './view-store.ts'

const tags = ['Console']
const maxViews = 200

/** Filters of the console page that a group has saved under a name. */
export function viewRoutes(app: Http, pool: pg.Pool): void {
  app.get(
    '/api/console/views',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'listSavedViews',
        summary: 'List saved views',
        querystring: z.object(groupId),
        response: { 200: z.object({ data: z.array(savedView) }) },
      },
    },
    async (request) => ({ data: (await listViews(pool, groupOf(request).id)).map(toJson) }),
  )

  app.post(
    '/api/console/views',
    {
      config: { needs: 'events', keyNeeds: 'admin', inGroup: true, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'saveView',
        summary: 'Save a view',
        description: 'A view of the same name is replaced.',
        body: savedViewInput,
        response: { 201: savedView },
      },
    },
    async (request, reply) => {
      const { name, query } = request.body
      const view = {
        id: newEventId(Date.now()),
        groupId: groupOf(request).id,
        name,
        query,
        createdBy: principalOf(request).user?.id ?? null,
      }
      const saved = await saveView(pool, view, maxViews)
      if (!saved)
        throw new Fault(faults.conflict, `A group has at most ${maxViews} saved views. Delete one first.`)
      return reply.code(201).send(toJson(saved))
    },
  )

  app.delete(
    '/api/console/views/:id',
    {
      config: { needs: 'events', keyNeeds: 'admin', inGroup: true },
      schema: {
        tags,
        operationId: 'deleteSavedView',
        summary: 'Delete a saved view',
        params: z.object({
          id: z.string().meta({
            description: 'The id of the view.',
            examples: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'],
          }),
        }),
        querystring: z.object(groupId),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      // What an id names does not exist for those who have no group.
      if (principalOf(request).groups.length === 0) throw notFound('The view')
      const group = groupOf(request)
      const { id } = request.params
      if (!z.uuid().safeParse(id).success || !(await deleteView(pool, group.id, id)))
        throw notFound('The view')
      return reply.code(204).send(null)
    },
  )
}

function toJson({ id, name, query, created_by, created_at }: ViewRow): SavedView {
  return { id, name, query, created_by, created_at: created_at.toISOString() }
}
