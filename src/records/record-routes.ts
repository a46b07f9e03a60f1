import { z } from 'zod'
import type { Scope } from '#kernel/auth'
import { groupOf, type Http, type RouteDocs } from '#kernel/http'
import { pageOf } from '#kernel/paging'
import type { Log } from '#kernel/log'
import { rowJson } from '#kernel/rows'
import type { RecordKind } from './record-kind.ts'
import type { RecordRow } from './record-store.ts'
import { authorIn, groupFor, inGroupQuery, toShownPage } from './request.ts'

interface RecordRoutesSpec<Row, Input, Change, Query> {
  path: string
  tag: string
  /** One, and many: `ticket`, `tickets`. */
  noun: string
  plural: string
  kind: RecordKind<Row, Input, Change, Query>
  shapes: {
    record: z.ZodObject
    body: z.ZodType<Input>
    change: z.ZodType<Change>
    query: z.ZodType<Query>
  }
  /** Who may change records: those with this scope. Defaults to `events`. */
  needs?: Scope
  /** What an API key needs for each change, where that scope is not enough. */
  keyNeeds?: { create?: Scope; change?: Scope }
  /** Runs of agents may read them. */
  forRuns?: boolean
  /** A POST with an `external_id` that is known changes the record. */
  isUpserted?: boolean
  about: string
  log: Log
}

/** The five routes that every kind of record has. */
export function recordRoutes<Row extends RecordRow, Input, Change, Query>(
  app: Http,
  spec: RecordRoutesSpec<Row, Input, Change, Query>,
): void {
  const { path, noun, plural, kind, shapes, needs = 'events', keyNeeds = {}, forRuns = false } = spec
  const tags = [spec.tag]
  const [One, Many] = [noun, plural].map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const what = `The ${noun}`
  const a = /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
  const params = z.object({ id: z.uuid().meta({ description: `The ID of the ${noun}.` }) })
  const read = { needs: 'read', inGroup: true, forRuns } as const
  const docs: RouteDocs = { errors: ['conflict'] }
  const write = (scope: Scope | undefined) =>
    ({ needs, inGroup: true, docs, ...(scope && { keyNeeds: scope }) }) as const
  const created = spec.isUpserted ? { 200: shapes.record, 201: shapes.record } : { 201: shapes.record }

  app.get(
    path,
    {
      config: read,
      schema: {
        tags,
        operationId: `list${Many}`,
        summary: `List ${plural}`,
        description: `Newest first. ${spec.about}`,
        querystring: shapes.query,
        response: { 200: pageOf(shapes.record) },
      },
    },
    async (request, reply) =>
      reply.send(
        toShownPage(await kind.list(groupOf(request).id, request.query as Query), shapes.record, spec.log),
      ),
  )

  app.get(
    `${path}/:id`,
    {
      config: read,
      schema: {
        tags,
        operationId: `get${One}`,
        summary: `Get ${a}`,
        params,
        querystring: inGroupQuery,
        response: { 200: shapes.record },
      },
    },
    async (request, reply) =>
      reply.send(rowJson(await kind.get(groupFor(request, what).id, request.params.id)) as never),
  )

  app.post(
    path,
    {
      config: write(keyNeeds.create),
      schema: {
        tags,
        operationId: `create${One}`,
        summary: `Create ${a}`,
        ...(spec.isUpserted && {
          description: `One that has the same \`source\` and \`external_id\` is changed instead, and returned with 200.`,
        }),
        body: shapes.body,
        response: created,
      },
    },
    async (request, reply) => {
      const { row, isNew } = await kind.create(authorIn(request, groupOf(request)), request.body as Input)
      return reply.code(isNew ? 201 : 200).send(rowJson(row) as never)
    },
  )

  app.patch(
    `${path}/:id`,
    {
      config: write(keyNeeds.change),
      schema: {
        tags,
        operationId: `update${One}`,
        summary: `Update ${a}`,
        description: 'Fields that are not sent keep their values.',
        params,
        querystring: inGroupQuery,
        body: shapes.change,
        response: { 200: shapes.record },
      },
    },
    async (request, reply) => {
      const author = authorIn(request, groupFor(request, what))
      const row = await kind.change(author, request.params.id, request.body as Change)
      return reply.send(rowJson(row) as never)
    },
  )

  app.delete(
    `${path}/:id`,
    {
      config: { needs, keyNeeds: 'admin', inGroup: true },
      schema: {
        tags,
        operationId: `delete${One}`,
        summary: `Delete ${a}`,
        params,
        querystring: inGroupQuery,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await kind.remove(authorIn(request, groupFor(request, what)), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
