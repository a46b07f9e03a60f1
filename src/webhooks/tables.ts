import type { ColumnType, Generated } from 'kysely'
import type { DeliveryStatus, HookKind } from './contract.ts'

type Created = ColumnType<Date, never, never>

export interface WebhookTables {
  'webhooks.hooks': {
    id: string
    group_id: string
    kind: HookKind
    name: string
    secret_id: string
    is_active: Generated<boolean>
    deploy_workflows: string[]
    created_by: string | null
    created_at: Created
    updated_at: ColumnType<Date, never, Date>
  }
  'webhooks.deliveries': {
    id: string
    hook_id: string
    group_id: string
    event: string | null
    external_id: string | null
    body_hash: Buffer
    content_type: string
    body: Buffer
    status: DeliveryStatus
    reason: string | null
    attempts: Generated<number>
    received_at: Created
    started_at: Created
    processed_at: Date | null
  }
  'webhooks.commits': {
    group_id: string
    sha: string
    committed_at: Date
    received_at: Created
    repository: string | null
    branch: string | null
    message: string | null
    author: string | null
    url: string | null
    made_at: Date | null
    changed_at: Generated<Date>
  }
  'webhooks.pull_requests': {
    group_id: string
    url: string
    repository: string
    number: number
    title: string
    branch: string | null
    author: string | null
    head_sha: string | null
    merge_sha: string | null
    issues: string[]
    opened_at: Date | null
    merged_at: Date | null
    stated_at: Date
    changed_at: Generated<Date>
  }
}
