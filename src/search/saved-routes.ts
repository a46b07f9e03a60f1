import { z } from 'zod'
import type pg from 'pg'
import { Fault, faults, notFound } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { savedSearch, savedSearchInput, type SavedSearch } from './contract.ts'
import { knownKinds } from './routes.ts'
import { deleteSaved, listSaved, saveSearch, type Owner, type SavedRow } from './saved-store.ts'

const tags = ['Search']
const config = { needs: 'read', inGroup: true } as const
const maxSaved = 100

/** Each person has their own. A key acts as the person who made it; one that nobody made has none. */
export function savedRoutes(app: Http, pool: pg.Pool, kinds: () => ReadonlyMap<string, string>): void {
  app.get(
    '/api/v1/search/saved',
    {
      config,
      schema: {
        tags,
        operationId: 'listSavedSearches',
        summary: 'List saved searches',
        description: "The caller's own in this group. An API key reads as the person who created it.",
        querystring: z.object(groupId),
        response: { 200: z.object({ data: z.array(savedSearch) }) },
      },
    },
    async (request) => {
      const owner = ownerOf(request)
      return { data: owner ? (await listSaved(pool, owner)).map(toJson) : [] }
    },
  )

  app.post(
    '/api/v1/search/saved',
    {
      config: { ...config, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'saveSearch',
        summary: 'Save a search',
        description: "The caller's saved search of the same name is replaced.",
        body: savedSearchInput,
        response: { 201: savedSearch },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request)
      const { name, query, kinds: given } = request.body
      const search = { name: name.trim(), query, kinds: [...new Set(knownKinds(kinds(), given) ?? [])] }
      if (!owner)
        throw new Fault(faults.forbidden, 'Saved searches belong to people, and nobody created this key.')
      const saved = await saveSearch(pool, owner, search, maxSaved)
      if (!saved)
        throw new Fault(faults.conflict, `You already have ${maxSaved} saved searches. Delete one first.`)
      return reply.code(201).send(toJson(saved))
    },
  )

  app.delete(
    '/api/v1/search/saved/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteSavedSearch',
        summary: 'Delete a saved search',
        params: z.object({
          id: z.string().meta({
            description: 'The id of the saved search.',
            examples: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'],
          }),
        }),
        querystring: z.object(groupId),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      // What an id names does not exist for those who have no group.
      if (principalOf(request).groups.length === 0) throw notFound('The saved search')
      const owner = ownerOf(request)
      const { id } = request.params
      if (!owner || !z.uuid().safeParse(id).success || !(await deleteSaved(pool, owner, id)))
        throw notFound('The saved search')
      return reply.code(204).send(null)
    },
  )
}

function ownerOf(request: Parameters<typeof groupOf>[0]): Owner | null {
  const { id } = groupOf(request)
  const { user } = principalOf(request)
  return user ? { userId: user.id, groupId: id } : null
}

function toJson({ id, name, query, kinds, created_at }: SavedRow): SavedSearch {
  return { id, name, query, kinds, created_at: created_at.toISOString() }
}
