import * as store from '../../../src/agents/agent-store.ts'
import type { AgentTables } from '../../../src/agents/tables.ts'
import type { Sample } from '../snapshot.ts'
import { id } from './values.ts'

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
  await store.listAgents(db, id)
  answer([{ count: '1' }])
  await store.countAgents(db, id)
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
  await store.claimSeeding(db, id)
}
