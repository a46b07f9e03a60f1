import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Membership, Principal } from '#kernel/auth'
import { Fault, faults, notFound } from '#kernel/errors'
import { groupOf, listOf, principalOf, type Http } from '#kernel/http'
import { rowJson } from '#kernel/rows'
import type { ApprovalRow } from '../approvals/approval-store.ts'
import { isAsker, reasonOf, statusOf } from '../approvals/approvals.ts'
import { executorOf } from '../audit/audit.ts'
import {
  alreadyApplied,
  approval,
  approvalStatuses,
  askedOf,
  decisionBody,
  executed,
  migrated,
  nobody,
  pendingApproval,
  rolledBack,
  type Approval,
} from '../contract.ts'
import type { StoryDeps } from '../story/deps.ts'
import { runApproved } from '../story/run-approved.ts'
import { signalOf } from './caller-of.ts'

const tags = ['SQL']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the approval.' }) })
const decides = { needs: 'person', roles: ['admin', 'owner'], inGroup: true } as const

export function approvalRoutes(app: Http, story: StoryDeps): void {
  const { approvals } = story
  readRoutes(app, story)

  for (const [verb, status] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const)
    app.post(
      `/api/v1/sql/approvals/:id/${verb}`,
      {
        config: { ...decides, docs: { errors: ['conflict'] } },
        schema: {
          tags,
          operationId: `${verb}SqlStatement`,
          summary: verb === 'approve' ? 'Approve a statement' : 'Reject a statement',
          description:
            'By an admin or owner who is signed in, never by a key. With four eyes, not by the person who asked for it.',
          params,
          body: decisionBody.nullish(),
          response: { 200: approval },
        },
      },
      async (request) => {
        const { row, group } = await found(story, request, request.params.id)
        const principal = principalOf(request)
        const note = request.body?.note ?? null
        const after = await approvals.decide(principal, group, row, { status, note })
        return shown(story, principal, group, after)
      },
    )

  app.post(
    '/api/v1/sql/approvals/:id/run',
    {
      config: {
        ...decides,
        docs: { noBody: true, errors: ['sqlError', 'policyViolation', 'conflict', 'rateLimit'] },
      },
      schema: {
        tags,
        operationId: 'runApprovedSql',
        summary: 'Run an approved statement',
        description:
          'For people, instead of sending the call again with `approval_id`. Not possible where the text has a secret, because then it is not stored, nor where a run of an agent asked for it, which runs it.',
        params,
        response: { 200: z.union([executed, migrated, alreadyApplied, rolledBack]), 202: pendingApproval },
      },
    },
    async (request, reply) => {
      const { row, group } = await found(story, request, request.params.id)
      requireAdmin(group)
      if (row.asked_by?.run_id)
        throw new Fault(
          faults.conflict,
          'The run that asked for it runs it as soon as it is approved. Approve it, or cancel the run.',
        )
      const principal = principalOf(request)
      const executor = { ...executorOf(principal), asked: row.asked_by ?? nobody }
      const caller = { principal, group, executor, signal: signalOf(reply) }
      const answer = await runApproved(story, caller, row)
      return reply.code(answer.status === 'pending_approval' ? 202 : 200).send(answer as never)
    },
  )
}

function readRoutes(app: Http, story: StoryDeps): void {
  app.get(
    '/api/v1/sql/approvals',
    {
      config: { needs: 'sql', inGroup: true },
      schema: {
        tags,
        operationId: 'listSqlApprovals',
        summary: 'List approvals',
        description: 'Newest first. A key sees those that it asked for.',
        querystring: z.object({
          status: z.enum(approvalStatuses).optional().meta({ description: 'Only those with this status.' }),
          limit: z
            .string()
            .regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'must be a whole number from 1 to 200')
            .transform(Number)
            .prefault('50')
            .meta({ description: 'How many to return at most, from 1 to 200. Defaults to 50.' }),
          group_id: z.uuid().optional(),
        }),
        response: { 200: listOf(approval) },
      },
    },
    async (request) => {
      const [principal, group] = [principalOf(request), groupOf(request)]
      const { status, limit } = request.query
      const rows = await story.approvals.list({ groupId: group.id, status, keyId: principal.key?.id, limit })
      return { data: await Promise.all(rows.map((row) => shown(story, principal, group, row))) }
    },
  )

  app.get(
    '/api/v1/sql/approvals/:id',
    {
      config: { needs: 'sql', inGroup: true, keySeesOwn: true, forRuns: true },
      schema: {
        tags,
        operationId: 'getSqlApproval',
        summary: 'Get an approval',
        description:
          'To wait for a decision, ask again every few seconds. A key sees those that it asked for.',
        params,
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: approval },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      if (principal.groups.length === 0) throw notFound('The approval')
      const group = groupOf(request)
      const row = await story.approvals.find([group.id], request.params.id)
      if (principal.key && row.requested_key !== principal.key.id) throw notFound('The approval')
      return shown(story, principal, group, row)
    },
  )
}

/** Of any group of the person, whose role there counts. */
async function found(
  { approvals }: StoryDeps,
  request: FastifyRequest,
  id: string,
): Promise<{ row: ApprovalRow; group: Membership }> {
  const { groups } = principalOf(request)
  const row = await approvals.find(
    groups.map((group) => group.id),
    id,
  )
  const group = groups.find((each) => each.id === row.group_id)
  if (!group) throw notFound('The approval')
  return { row, group }
}

function requireAdmin(group: Membership): void {
  if (group.role !== 'admin' && group.role !== 'owner')
    throw new Fault(faults.forbidden, 'Only an admin or owner runs what was approved.')
}

/** Field by field, so that a column added later does not end up in a response. */
async function shown(
  { approvals }: StoryDeps,
  principal: Principal,
  group: Membership,
  row: ApprovalRow,
): Promise<Approval> {
  const status = statusOf(row)
  const isDecider = principal.via !== 'api_key' && (group.role === 'admin' || group.role === 'owner')
  const needsOther = await approvals.needsOtherPerson(row)
  return {
    id: row.id,
    kind: row.kind,
    status,
    database: row.database,
    sql: row.sql,
    params: (row.request?.['params'] as unknown[] | undefined) ?? null,
    is_runnable: row.is_complete && status === 'approved' && !row.asked_by?.run_id,
    operations: row.operations,
    rule: row.rule,
    reason: reasonOf(row),
    asked_reason: row.reason,
    asked_by: askedOf(row.asked_by, row.agent_id),
    preview: row.preview,
    agent_id: row.agent_id,
    policy_version: row.policy_version,
    requested_by: row.requester,
    decided_by: row.decider,
    note: row.note,
    may_decide: isDecider && status === 'pending' && !(needsOther && isAsker(principal, row)),
    needs_other_person: needsOther,
    audit_id: row.audit_id,
    ...rowJson(row, ['created_at', 'decided_at', 'expires_at']),
  }
}
