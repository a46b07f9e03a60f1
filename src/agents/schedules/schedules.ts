import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireRole, type Membership, type Principal } from '#kernel/auth'
import { Fault, faults, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { mask } from '#kernel/mask'
import type { AgentRow } from '../agent-store.ts'
import type { ScheduleBody, ScheduleChange } from '../shapes/schedule.ts'
import type { AgentTables } from '../tables.ts'
import { nextTime } from './cron.ts'
import * as store from './schedule-store.ts'

export interface SchedulesDeps {
  db: Kysely<AgentTables>
  events: Events
  /** 404 where the group has no such agent. */
  findAgent(groupId: string, id: string): Promise<AgentRow>
}

const maxSchedules = 100

/** Schedules of agents: made, changed and deleted. */
export function createSchedules({ db, events, findAgent }: SchedulesDeps) {
  function tell({ user }: Principal, row: store.ScheduleRow, what: string): void {
    events.emit('activity', {
      ...configActivity,
      ...{ groupId: row.group_id, by: user?.id ?? null },
      title: `Schedule of ${row.agent_id} ${what}`,
      metadata: { schedule_id: row.id, agent_id: row.agent_id, cron: row.cron, enabled: row.enabled },
    })
  }

  return {
    async list(groupId: string, agentId: string): Promise<store.ScheduleRow[]> {
      await findAgent(groupId, agentId)
      return store.listSchedules(db, groupId, agentId)
    },

    async create(principal: Principal, group: Membership, agentId: string, body: ScheduleBody) {
      await findAgent(group.id, agentId)
      if ((await store.countSchedules(db, group.id)) >= maxSchedules)
        throw new Fault(faults.conflict, `A group has at most ${maxSchedules} schedules. Delete one first.`)
      const { cron, time_zone, request, enabled } = body
      const next = nextTime(cron, time_zone, new Date())
      const row = await store.insertSchedule(db, {
        ...{ id: randomUUID(), group_id: group.id, agent_id: agentId },
        ...{ cron, time_zone, enabled, request: mask(request), ...rightsOf(principal, group) },
        next_at: enabled ? next : null,
      })
      tell(principal, row, 'created')
      return row
    },

    /** It has the rights of the person who changed it last: nobody lets it do something in another's name. */
    async change(principal: Principal, group: Membership, agentId: string, id: string, body: ScheduleChange) {
      const { group_id: _group, ...given } = body
      const row = await db.transaction().execute(async (transaction) => {
        const before = await store.lockSchedule(transaction, { groupId: group.id, agentId, id })
        if (!before) throw notFound('The schedule')
        const { cron = before.cron, time_zone = before.time_zone, request = before.request } = given
        const { enabled = before.enabled } = given
        const next = nextTime(cron, time_zone, new Date())
        return store.updateSchedule(transaction, id, {
          ...{ cron, time_zone, enabled, request: mask(request), ...rightsOf(principal, group) },
          next_at: enabled ? next : null,
          last_error: null,
        })
      })
      tell(principal, row, 'changed')
      return row
    },

    async remove(principal: Principal, group: Membership, agentId: string, id: string): Promise<void> {
      requireRole(group, 'owner', 'admin', 'member')
      const row = await store.deleteSchedule(db, { groupId: group.id, agentId, id })
      if (!row) throw notFound('The schedule')
      tell(principal, row, 'deleted')
    },
  }
}

export type Schedules = ReturnType<typeof createSchedules>

/** Only people make schedules, and only those who may ask an agent. */
function rightsOf({ user }: Principal, group: Membership): { runs_as: string; runs_as_name: string } {
  requireRole(group, 'owner', 'admin', 'member')
  if (!user) throw new Fault(faults.forbidden, 'Only a person who is signed in makes and changes schedules.')
  return { runs_as: user.id, runs_as_name: user.name }
}
