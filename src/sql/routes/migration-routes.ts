import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notFound } from '#kernel/errors'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { cutPage, groupId, pageOf, paging, placeCursor, readPlace } from '#kernel/paging'
import { rowJson } from '#kernel/rows'
import {
  askedOf,
  dryRun,
  migration,
  migrationDetail,
  migrationStates,
  pendingApproval,
  rollbackBody,
  rolledBack,
  type Migration,
  type MigrationDetail,
} from '../contract.ts'
import type { MigrationRow } from '../migrate/migration-store.ts'
import { wayBackOf } from '../migrate/way-back.ts'
import type { StoryDeps } from '../story/deps.ts'
import { rollBack } from '../story/roll-back.ts'
import { callerOf } from './caller-of.ts'

const tags = ['SQL']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the migration.' }) })
const one = { needs: 'sql', inGroup: true, keySeesOwn: true } as const
const errors = ['sqlError', 'policyViolation', 'conflict', 'rateLimit'] as const

const query = z.object({
  database: z.string().max(63).optional().meta({
    description:
      'Only migrations of this database. Also reads its own list, and adds those that were applied elsewhere.',
  }),
  agent_id: z.string().max(63).optional().meta({ description: 'Only migrations under this agent’s policy.' }),
  state: z.enum(migrationStates).optional().meta({ description: 'Only migrations in this state.' }),
  q: z.string().max(200).optional().meta({ description: 'Only those with this in the name or the reason.' }),
  approval_id: z.uuid().optional().meta({
    description: 'The one that this approval is for, to apply it or to roll it back.',
  }),
  ...paging(200),
})

export function migrationRoutes(app: Http, story: StoryDeps): void {
  listRoute(app, story)

  app.get(
    '/api/v1/sql/migrations/:id',
    {
      config: one,
      schema: {
        tags,
        operationId: 'getSqlMigration',
        summary: 'Get a migration',
        description:
          'With its statements, the evidence from before it ran, what it did, and how it can be rolled back. A key sees those that it asked for.',
        params,
        querystring: z.object(groupId),
        response: { 200: migrationDetail },
      },
    },
    async (request) => detailOf(story, await found(story, request, request.params.id)),
  )

  app.post(
    '/api/v1/sql/migrations/:id/rollback',
    {
      config: { ...one, docs: { errors } },
      schema: {
        tags,
        operationId: 'rollBackSqlMigration',
        summary: 'Roll back a migration',
        description:
          'Runs the way back that came with the migration in one transaction, and removes it from the list of the database, so that it may run again. The statements are judged by the policy like any migration. 409 where no way back was given, or where a later migration has to be rolled back first.',
        params,
        querystring: z.object(groupId),
        body: rollbackBody,
        response: { 200: z.union([rolledBack, dryRun]), 202: pendingApproval },
      },
    },
    async (request, reply) => {
      const row = await found(story, request, request.params.id)
      const answer = await rollBack(story, callerOf(request, reply), row, request.body)
      return answer.status === 'pending_approval' ? reply.code(202).send(answer) : answer
    },
  )
}

function listRoute(app: Http, { history }: StoryDeps): void {
  app.get(
    '/api/v1/sql/migrations',
    {
      config: { needs: 'sql', inGroup: true },
      schema: {
        tags,
        operationId: 'listSqlMigrations',
        summary: 'List migrations',
        description: 'The latest first. A key sees those that it asked for.',
        querystring: query,
        response: { 200: pageOf(migration) },
      },
    },
    async (request) => {
      const [{ key }, group] = [principalOf(request), groupOf(request)]
      const { database, agent_id: agentId, state, q: search, approval_id: approvalId } = request.query
      const { limit, cursor } = request.query
      // A database that cannot be asked still has what is known here.
      if (database !== undefined && cursor === undefined && !key)
        await history.findElsewhere(group.id, database).catch(() => undefined)
      const rows = await history.list({
        groupId: group.id,
        keyId: key?.id,
        ...{ database, agentId, state, search, approvalId },
        before: readPlace(cursor),
        limit: limit + 1,
      })
      return cutPage(rows, limit, (row) => placeCursor(row.asked_at, row.id), toJson)
    },
  )
}

/** In the group of the request; a key finds its own only. */
async function found({ history }: StoryDeps, request: FastifyRequest, id: string): Promise<MigrationRow> {
  const { key, groups } = principalOf(request)
  if (groups.length === 0) throw notFound('The migration')
  const row = await history.find([groupOf(request).id], id)
  if (key && row.requested_key !== key.id) throw notFound('The migration')
  return row
}

const columns = [
  ...(['id', 'name', 'database', 'state', 'is_elsewhere', 'operations', 'agent_id', 'reason'] as const),
  ...(['approval_id', 'decided_by', 'audit_id', 'error', 'duration_ms', 'asked_at'] as const),
  ...(['applied_at', 'rolled_back_at', 'rolled_back_by'] as const),
]

const toJson = (row: MigrationRow): Migration => ({
  ...rowJson(row, columns),
  requested_by: row.requester,
  asked_by: askedOf(row.asked_by, row.agent_id),
})

const more = [
  ...(['sha256', 'statements', 'is_complete', 'checks', 'preview', 'result', 'copy'] as const),
  ...(['rollback_approval_id', 'rollback_audit_id'] as const),
]

async function detailOf({ runner }: StoryDeps, row: MigrationRow): Promise<MigrationDetail> {
  // A database that cannot be asked has no derived way back now.
  const way = await wayBackOf(runner, row).catch(() => ({ reason: 'The database cannot be asked now.' }))
  return {
    ...toJson(row),
    ...rowJson(row, more),
    rollback: 'reason' in way ? null : { statements: way.statements, is_derived: way.isDerived },
    rollback_reason: 'reason' in way ? way.reason : null,
  }
}
