import type { ColumnType } from 'kysely'
import type { AgentConfig } from './contract.ts'

type Json<T> = ColumnType<T, string, string>

export interface AgentTables {
  'agents.agents': {
    group_id: string
    id: string
    name: string
    model: string
    category: string
    description: string
    capabilities: string[]
    config: Json<AgentConfig>
    version: number
    policy_version: number
    created_by: string | null
    created_at: ColumnType<Date, never, never>
    updated_at: ColumnType<Date, never, Date>
  }
  'agents.versions': {
    group_id: string
    agent_id: string
    version: number
    policy_version: number
    change: 'created' | 'changed' | 'deleted'
    record: Json<Record<string, unknown>>
    changed_by: string | null
    changed_by_name: string
    changed_at: ColumnType<Date, never, never>
  }
  'agents.seeded_groups': { group_id: string }
}
