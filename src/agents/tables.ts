import type { ColumnType } from 'kysely'
import type { Person, Scope } from '#kernel/auth'
import type { AgentConfig } from './contract.ts'
import type { Decision, Memory } from './run/protocol.ts'
import type {
  RunEvent,
  RunLimits,
  RunStatus,
  RunTicket,
  ToolCall,
  Turn,
  WaitingFor,
  Workflow,
} from './shapes/run.ts'

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
  'agents.runs': RunTable
  'agents.run_keys': {
    run_id: string
    key_id: string
    turn: number
    created_at: ColumnType<Date, never, never>
  }
  'agents.schedules': {
    id: string
    group_id: string
    agent_id: string
    cron: string
    time_zone: string
    request: string
    enabled: boolean
    next_at: Date | null
    last_at: ColumnType<Date | null, undefined, Date>
    last_run_id: ColumnType<string | null, undefined, string>
    last_error: ColumnType<string | null, undefined, string | null>
    runs_as: string | null
    runs_as_name: string
    created_at: ColumnType<Date, never, never>
    updated_at: ColumnType<Date, never, Date>
  }
  'agents.run_events': {
    run_id: string
    seq: number
    type: RunEvent['type']
    data: Json<Record<string, unknown>>
    at: ColumnType<Date, never, never>
  }
}

interface RunTable {
  id: string
  group_id: string
  agent_id: string
  agent_version: number
  request: string
  turns: ColumnType<Turn[], string | undefined, string>
  ticket: Json<RunTicket | null> | null
  schedule_id: string | null
  status: RunStatus
  waiting_for: Json<WaitingFor | null> | null
  response: string | null
  error: Json<{ code: string; message: string } | null> | null
  workflow: Json<Workflow | null> | null
  tool_calls: ColumnType<ToolCall[], string | undefined, string>
  input_tokens: ColumnType<string, number | undefined, number>
  output_tokens: ColumnType<string, number | undefined, number>
  cost: ColumnType<string | null, string | null | undefined, string | null>
  steps: ColumnType<number, number | undefined, number>
  limits: Json<RunLimits>
  active_ms: ColumnType<string, number | undefined, number>
  memory: Json<Memory | null> | null
  decision: Json<Decision | null> | null
  started_by: string | null
  started_by_name: string
  asked_user: Json<Person | null> | null
  started_key: string | null
  scopes: Scope[]
  depth: number
  parent_id: string | null
  process_id: string | null
  lease_until: Date | null
  cancel_requested: ColumnType<boolean, boolean | undefined, boolean>
  last_seq: ColumnType<number, number | undefined, number>
  created_at: ColumnType<Date, never, never>
  updated_at: ColumnType<Date, never, Date>
  finished_at: Date | null
}
