import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireRole, type Membership, type Principal } from '#kernel/auth'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import type { PolicySource } from '../approvals/approvals.ts'
import { executorOf, type Attempt, type Audit } from '../audit/audit.ts'
import type { GrantBody } from '../contract.ts'
import type { Places } from '../database/places.ts'
import * as store from './rule-store.ts'
import type { RuleTables } from './tables.ts'

export interface GrantsDeps {
  db: Kysely<RuleTables>
  audit: Audit
  events: Events
  agents: PolicySource
  places: Places
}

type Actor = { principal: Principal; group: Membership }

const maxActive = 100

/** More than a policy allows, given by a person and for a time. */
export function createGrants({ db, audit, events, agents, places }: GrantsDeps) {
  async function record({ principal }: Actor, row: store.GrantRow, what: 'given' | 'revoked'): Promise<void> {
    await audit.record(attemptOf(principal, row, what), { status: 'grant_changed' })
    events.emit('activity', {
      ...configActivity,
      groupId: row.group_id,
      by: principal.user?.id ?? null,
      severity: 'warning',
      title: `Grant ${what}: ${row.agent_id} in ${row.database}`,
      message: row.reason,
      metadata: { grant_id: row.id, agent_id: row.agent_id, database: row.database },
    })
  }

  return {
    list: (groupId: string) => store.listGrants(db, groupId, 200),

    async give(actor: Actor, body: GrantBody): Promise<store.GrantRow> {
      const { group, principal } = actor
      requireRole(group, 'admin', 'owner')
      const { agent_id, database, operations, tables, unmask, minutes, reason } = body
      if (operations.length + tables.length + unmask.length === 0)
        throw invalidField('operations', [
          'or ',
          { path: 'tables' },
          ' or ',
          { path: 'unmask' },
          ' must name something',
        ])
      const agent = await agents.find(group.id, agent_id)
      if (!(await places.find(group.id, database))) throw notFound(`The database ${database}`)
      if ((await store.countGrants(db, group.id)) >= maxActive)
        throw new Fault(
          faults.conflict,
          `The group has ${maxActive} grants that have not ended. Revoke one first.`,
        )
      const by = executorOf(principal)
      const row = await store.insertGrant(db, {
        id: randomUUID(),
        group_id: group.id,
        agent_id: agent.id,
        database,
        operations,
        tables,
        unmask,
        reason,
        given_by: by.userId,
        giver: by.name,
        expires_at: new Date(Date.now() + minutes * 60_000),
      })
      await record(actor, row, 'given')
      return row
    },

    async revoke(actor: Actor, id: string): Promise<void> {
      requireRole(actor.group, 'admin', 'owner')
      if (!(await store.findGrant(db, [actor.group.id], id))) throw notFound('The grant')
      const row = await store.revokeGrant(db, id, executorOf(actor.principal).name)
      if (!row) throw new Fault(faults.conflict, 'This grant has ended already.')
      await record(actor, row, 'revoked')
    },
  }
}

export type Grants = ReturnType<typeof createGrants>

function attemptOf(principal: Principal, row: store.GrantRow, what: string): Attempt {
  const { operations, tables, unmask, expires_at: until } = row
  const text = `Grant ${what}: ${JSON.stringify({ operations, tables, unmask, until })}`
  return {
    groupId: row.group_id,
    kind: 'grant',
    database: row.database,
    text,
    safeText: text,
    by: executorOf(principal),
    agentId: row.agent_id,
    policyVersion: null,
    reason: row.reason,
    operations: [],
    rule: null,
    approvalId: null,
    grantId: row.id,
  }
}
