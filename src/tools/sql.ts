import { z } from 'zod'
import { approvalStatuses, auditStatuses, executeBody, migrateBody } from '#sql/contract'
import { withQuery } from './platform.ts'
import { defineTool, type Tool } from './tool.ts'
import { cursor, limit, page } from './fields.ts'

const scope = 'sql'
const waits =
  'Where the policy asks for approval, the result has status `pending_approval`, an `approval_id` and a `link`: show the link to a person, ask `platform_sql_approval` for the decision, and once it is approved make exactly the same call again with `approval_id`.'

const ran = z.looseObject({
  status: z.string().describe('`executed`, `dry_run`, `already_applied` or `pending_approval`.'),
  approval_id: z.string().optional().describe('With `pending_approval`: what waits for a person.'),
  link: z.string().optional().describe('With `pending_approval`: where a person decides.'),
})

/** The group of a key is known. */
const execute = executeBody.omit({ group_id: true })
const migrate = migrateBody.omit({ group_id: true })

export const sqlTools: readonly Tool[] = [
  defineTool({
    name: 'platform_sql_execute',
    title: 'Run a SQL statement',
    description: `Runs one PostgreSQL statement under the policy of an agent; every attempt is in the audit log. Values go into params. ${waits}`,
    scope,
    input: execute,
    output: ran,
    isReader: false,
    isJudged: true,
    request: (body) => ({ method: 'POST', path: '/api/v1/sql/execute', body }),
  }),
  defineTool({
    name: 'platform_sql_migrate',
    title: 'Run a SQL migration',
    description: `Runs several statements in one transaction, all or nothing, once per name. checks are queries that run before and after. ${waits}`,
    scope,
    input: migrate,
    output: ran,
    isReader: false,
    isJudged: true,
    request: (body) => ({ method: 'POST', path: '/api/v1/sql/migrate', body }),
  }),
  defineTool({
    name: 'platform_sql_logs',
    title: 'Read the SQL audit log',
    description: 'The attempts of this API key, newest first: executed, failed, refused, paused, decided.',
    scope,
    input: z.strictObject({
      database: z.string().max(63).optional().describe('Only attempts on this database.'),
      agent_id: z.string().max(63).optional().describe('Only attempts under the policy of this agent.'),
      status: z.enum(auditStatuses).optional().describe('Only attempts with this outcome.'),
      q: z.string().max(200).optional().describe('Only attempts with this in their text or error.'),
      limit: limit(200, 20),
      cursor,
    }),
    output: page,
    isReader: true,
    isJudged: true,
    request: (input) => ({ method: 'GET', path: withQuery('/api/v1/sql/logs', input) }),
  }),
  defineTool({
    name: 'platform_sql_approval',
    title: 'See whether a statement was approved',
    description:
      'The state of an approval. While it is pending, ask again every few seconds; only a person decides.',
    scope,
    input: z.strictObject({ approval_id: z.uuid().describe('From the result that is pending.') }),
    output: z.looseObject({ id: z.string(), status: z.enum(approvalStatuses), link: z.string() }),
    isReader: true,
    isJudged: true,
    request: (input) => ({ method: 'GET', path: `/api/v1/sql/approvals/${input.approval_id}` }),
  }),
]
