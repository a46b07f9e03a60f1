import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import {
  alreadyApplied,
  dryRun,
  executeBody,
  executed,
  explainBody,
  migrateBody,
  migrated,
  migrationDryRun,
  pendingApproval,
  policyExplanation,
} from '../contract.ts'
import { executorOf } from '../audit/audit.ts'
import { ownerOf } from '../story/caller.ts'
import type { StoryDeps } from '../story/deps.ts'
import { execute } from '../story/execute.ts'
import { explain } from '../story/explain.ts'
import { migrate } from '../story/migrate.ts'
import { callerOf } from './caller-of.ts'

const tags = ['SQL']
const sql = { needs: 'sql', inGroup: true, forRuns: true } as const
const errors = ['sqlError', 'policyViolation', 'conflict', 'rateLimit'] as const

/** The longest migration is 1 MiB; JSON may need twice that, and parameters come with it. */
const bodyLimit = 4 * 1024 * 1024

export function runRoutes(app: Http, story: StoryDeps): void {
  app.post(
    '/api/v1/sql/execute',
    {
      bodyLimit,
      config: { ...sql, docs: { errors } },
      schema: {
        tags,
        operationId: 'executeSql',
        summary: 'Run a statement',
        description:
          'The statement is judged by the policy of the agent: it runs (200), waits for approval (202) or is refused (403). Every attempt is in the audit log. What is approved runs when the same call is sent again with `approval_id`.',
        body: executeBody,
        response: { 200: z.union([executed, dryRun]), 202: pendingApproval },
      },
    },
    async (request, reply) => {
      const answer = await execute(story, callerOf(request, reply), request.body)
      return answer.status === 'pending_approval' ? reply.code(202).send(answer) : answer
    },
  )

  app.post(
    '/api/v1/sql/migrate',
    {
      bodyLimit,
      config: { ...sql, docs: { errors } },
      schema: {
        tags,
        operationId: 'migrateSql',
        summary: 'Run a migration',
        description:
          'All statements in one transaction: all or nothing. A name that ran with the same text is answered with `already_applied`, with another text with 409.',
        body: migrateBody,
        response: { 200: z.union([migrated, alreadyApplied, migrationDryRun]), 202: pendingApproval },
      },
    },
    async (request, reply) => {
      const answer = await migrate(story, callerOf(request, reply), request.body)
      return answer.status === 'pending_approval' ? reply.code(202).send(answer) : answer
    },
  )

  app.post(
    '/api/v1/sql/explain-policy',
    {
      bodyLimit,
      config: { ...sql, docs: { errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'explainSqlPolicy',
        summary: 'Explain what the policy does with a statement',
        description: 'Says what would happen, by which rule and at which place in the text. Nothing runs.',
        body: explainBody,
        response: { 200: policyExplanation },
      },
    },
    (request) => {
      const principal = principalOf(request)
      const agent_id = principal.key?.run?.agentId ?? request.body.agent_id
      const owner = ownerOf(executorOf(principal))
      return explain(story, groupOf(request).id, { ...request.body, agent_id }, owner)
    },
  )
}
