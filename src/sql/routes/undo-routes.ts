import { z } from 'zod'
import { notFound } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { rowJson } from '#kernel/rows'
import { dryRun, executed, pendingApproval, undoable, undoBody, type Undoable } from '../contract.ts'
import type { StoryDeps } from '../story/deps.ts'
import { undo } from '../story/undo.ts'
import type { UndoRow } from '../undo/undo-store.ts'
import { callerOf } from './caller-of.ts'

const tags = ['SQL']
const params = z.object({ id: z.uuid().meta({ description: 'The `audit_id` of the change.' }) })
const querystring = z.object(groupId)
const errors = ['sqlError', 'policyViolation', 'conflict', 'rateLimit'] as const

/** Undoing changes of rows. */
export function undoRoutes(app: Http, story: StoryDeps): void {
  app.get(
    '/api/v1/sql/logs/:id/undo',
    {
      config: { needs: 'sql', inGroup: true },
      schema: {
        tags,
        operationId: 'getSqlUndo',
        summary: 'Get what can be undone',
        description:
          'An INSERT, UPDATE or DELETE of one table with a primary key, of at most 10,000 rows and 4 MiB, can be undone for 7 days. `reason` says why another change cannot.',
        params,
        querystring,
        response: { 200: undoable },
      },
    },
    async (request) => {
      if (principalOf(request).groups.length === 0) throw notFound('The change')
      return toJson(await story.keptRows.find(groupOf(request).id, request.params.id))
    },
  )

  app.post(
    '/api/v1/sql/logs/:id/undo',
    {
      config: { needs: 'sql', inGroup: true, docs: { errors } },
      schema: {
        tags,
        operationId: 'undoSql',
        summary: 'Undo a change',
        description:
          'Restores the rows by a statement that the policy judges like any other. Nothing is undone where one of the rows was changed since.',
        params,
        querystring,
        body: undoBody,
        response: { 200: z.union([executed, dryRun]), 202: pendingApproval },
      },
    },
    async (request, reply) => {
      if (principalOf(request).groups.length === 0) throw notFound('The change')
      const answer = await undo(story, callerOf(request, reply), request.params.id, request.body)
      return answer.status === 'pending_approval' ? reply.code(202).send(answer) : answer
    },
  )
}

const columns = [
  ...(['audit_id', 'database', 'operation', 'row_count', 'expires_at', 'undone_at', 'reason'] as const),
]

const toJson = (row: UndoRow): Undoable => ({
  ...rowJson(row, columns),
  table: row.table_name === null ? null : `${row.schema_name}.${row.table_name}`,
})
