import * as store from '../../../src/agents/agent-store.ts'
import * as events from '../../../src/agents/run/event-store.ts'
import { listRuns } from '../../../src/agents/run/list-store.ts'
import * as run from '../../../src/agents/run/run-store.ts'
import * as schedule from '../../../src/agents/schedules/schedule-store.ts'
import type { AgentTables } from '../../../src/agents/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const agent = {
  group_id: id,
  id: 'data-engineer',
  name: 'name',
  model: 'model',
  category: 'data',
  description: '',
  capabilities: [],
  config: '{}',
  version: 1,
  policy_version: 1,
  created_by: id,
}

export const agents: Sample = async ({ tables, answer }) => {
  const db = tables<AgentTables>()
  await store.listAgents(db, id, { after: undefined, limit: 500 })
  await store.listAgents(db, id, { after: { at, id }, limit: 500 })
  answer([{ count: '1' }])
  await store.countAgents(db, id)
  await store.listModels(db)
  await store.findAgent(db, id, agent.id)
  await store.lockAgent(db, id, agent.id)
  await store.insertAgent(db, agent)
  answer([agent])
  await store.updateAgent(db, id, agent.id, { name: 'name', config: '{}', version: 2, policy_version: 2 })
  await store.deleteAgent(db, id, agent.id)
  await store.lastVersion(db, id, agent.id)
  await store.insertVersion(db, {
    group_id: id,
    agent_id: agent.id,
    version: 1,
    policy_version: 1,
    change: 'created',
    record: '{}',
    changed_by: id,
    changed_by_name: 'name',
  })
  await store.listVersions(db, id, agent.id)
  await store.findVersion(db, id, agent.id, 1)
  await store.claimSeeding(db, id)
  await runs({ tables, answer })
}

const progress = { tool_calls: [], input_tokens: 1, output_tokens: 1, cost: '0.1', steps: 1 }

async function runs({ tables, answer }: Pick<Parameters<Sample>[0], 'tables' | 'answer'>): Promise<void> {
  const db = tables<AgentTables>()
  await run.insertRun(db, {
    id,
    group_id: id,
    agent_id: agent.id,
    agent_version: 1,
    request: 'request',
    limits: '{}',
    started_by: id,
    started_by_name: 'name',
    asked_user: null,
    started_key: id,
    scopes: ['gateway'],
    depth: 0,
    parent_id: null,
    ticket: null,
    schedule_id: null,
  })
  await run.findRun(db, id, id)
  await listRuns(db, { groupId: id, limit: 50 })
  await listRuns(db, {
    groupId: id,
    agentId: agent.id,
    startedBy: id,
    status: 'failed',
    before: { at, id },
    limit: 50,
  })
  answer([{ count: '1' }])
  await run.countUnfinished(db, id)
  await run.holdOpenRun(db, id)
  await run.claimRun(db, id, 20)
  answer([{ count: '1' }])
  await run.countQueued(db)
  await run.renewLeases(db, id, [id])
  await run.findLost(db)
  await run.saveProgress(db, id, id, progress)
  await run.moveRun(db, { id, status: 'running', processId: id }, 'completed', { response: 'response' })
  await run.moveRun(db, { id, status: 'waiting', waitId: id }, 'queued', { decision: '{}' })
  await run.moveRun(db, { id, status: 'completed', turns: 0 }, 'queued', { turns: '[]' })
  await run.requestCancel(db, id)
  await run.requestCancelOfAsked(db, id)
  await run.findIdleToCancel(db)
  await run.findAwaitingApproval(db, undefined, 500)
  await run.findAwaitingApproval(db, id, 500)
  await run.insertRunKey(db, id, id, 1)
  await run.listRunKeys(db, id)
  await run.listRunKeys(db, id, 2)
  await run.deleteOldRuns(db, 90)
  await run.readStatus(db, id, id)
  await schedules({ tables, answer })
  await events.appendEvents(db, id, [{ type: 'text', content: 'content' }])
  await events.readEvents(db, id, 0, 200)
  await events.storedBytes(db, id)
}

async function schedules({
  tables,
  answer,
}: Pick<Parameters<Sample>[0], 'tables' | 'answer'>): Promise<void> {
  const db = tables<AgentTables>()
  const row = {
    ...{ id, group_id: id, agent_id: agent.id, cron: '0 9 * * *', time_zone: 'UTC', request: 'request' },
    ...{ enabled: true, next_at: at, runs_as: id, runs_as_name: 'name' },
  }
  const stored = {
    ...row,
    last_at: null,
    last_run_id: null,
    last_error: null,
    created_at: at,
    updated_at: at,
  }
  const place = { groupId: id, agentId: agent.id, id }
  await schedule.listSchedules(db, id, agent.id)
  answer([{ count: '1' }])
  await schedule.countSchedules(db, id)
  answer([stored])
  await schedule.insertSchedule(db, row)
  await schedule.lockSchedule(db, place)
  answer([stored])
  await schedule.updateSchedule(db, id, { ...row, last_error: null })
  await schedule.deleteSchedule(db, place)
  await schedule.listDue(db)
  await schedule.takeTime(db, stored, { next_at: at, last_run_id: id, last_error: null })
  await schedule.takeTime(db, stored, { next_at: null, enabled: false, last_error: 'why' })
}
