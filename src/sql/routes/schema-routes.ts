import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { executorOf } from '../audit/audit.ts'
import { databaseSchema } from '../contract.ts'
import type { Schemas } from '../schema/create-schemas.ts'
import { visibleRelations } from '../schema/visible.ts'
import { ownerOf } from '../story/caller.ts'
import { judge, refusalOf, type JudgeDeps } from '../story/judge.ts'
import { readTexts } from '../story/reading.ts'

/** A caller who may not send this learns nothing of the structure either. */
const plainRead = 'SELECT 1'

export function schemaRoutes(app: Http, deps: JudgeDeps & { schemas: Schemas }): void {
  app.get(
    '/api/v1/sql/databases/:name/schema',
    {
      config: { needs: 'sql', inGroup: true, docs: { errors: ['policyViolation', 'conflict'] } },
      schema: {
        tags: ['SQL'],
        operationId: 'getSqlDatabaseSchema',
        summary: 'Get the structure of a database',
        description:
          'Tables and views with their columns, keys, indexes, estimated rows and sizes, as far as agents may read them. For callers whose `SELECT` the policy would run. At most 2,000 tables and views; kept for 10 seconds.',
        params: z.object({
          name: z
            .string()
            .max(63)
            .meta({ description: 'The name of the database.', examples: ['application'] }),
        }),
        querystring: z.object({
          agent_id: z
            .string()
            .max(63)
            .optional()
            .meta({ description: 'Whose policy applies. Defaults to `data-engineer`.' }),
          fresh: z
            .enum(['true', 'false'])
            .default('false')
            .meta({ description: '`true`: read now, for after a change of the structure.' }),
          ...groupId,
        }),
        response: { 200: databaseSchema },
      },
    },
    async (request) => {
      const [principal, { id }] = [principalOf(request), groupOf(request)]
      const { name: database } = request.params
      const agentId = principal.key?.run?.agentId ?? request.query.agent_id
      const owner = ownerOf(executorOf(principal))
      const reading = await readTexts(deps.classifier, [plainRead], 'execute', owner)
      const judged = await judge(deps, { groupId: id, database, kind: 'execute', agentId }, reading)
      if (judged.decision.decision !== 'execute') throw refusalOf(judged)
      const isFresh = request.query.fresh === 'true'
      const found = await deps.schemas.read({ groupId: id, database }, owner, isFresh)
      return {
        database,
        relations: visibleRelations(found.relations, judged.rules),
        truncated: found.truncated,
        read_at: found.readAt.toISOString(),
      }
    },
  )
}
