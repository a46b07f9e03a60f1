import type { ColumnType, Generated, JSONColumnType, Kysely, Transaction } from 'kysely'
import type { EvidenceItem } from './shapes/criterion.ts'

type Created = ColumnType<Date, Date | undefined, never>
type Updated = ColumnType<Date, Date | undefined, Date>

export interface InitiativeTables {
  'initiatives.initiatives': {
    id: string
    group_id: string
    slug: string
    title: string
    description: string
    status: 'active' | 'paused' | 'done'
    owner: string | null
    created_by: string | null
    created_at: Created
    updated_at: Updated
  }
  'initiatives.criteria': {
    id: string
    initiative_id: string
    text: string
    confidence: number | null
    created_at: Created
    updated_at: Updated
  }
  'initiatives.confidence_changes': {
    id: string
    criterion_id: string
    before: number | null
    confidence: number
    proposed: number | null
    reason: string
    evidence: JSONColumnType<EvidenceItem[]>
    standup_id: string | null
    changed_by: string | null
    changed_by_name: string | null
    created_at: Created
  }
  'initiatives.findings': {
    id: string
    initiative_id: string
    text: string
    source: string
    url: string | null
    created_by_name: string | null
    created_at: Created
  }
  'initiatives.questions': {
    id: string
    initiative_id: string
    text: string
    category: 'direction' | 'priority' | 'clarification' | 'approval'
    answer: string | null
    answered_by_name: string | null
    answered_at: Date | null
    created_at: Created
  }
  'initiatives.decisions': {
    id: string
    group_id: string
    initiative_id: string
    title: string
    context: string
    options: JSONColumnType<string[]>
    decision: string
    rationale: string
    consequences: string
    evidence: JSONColumnType<EvidenceItem[]>
    decided_by: string
    decided_at: Date
    status: Generated<'accepted' | 'deprecated' | 'superseded'>
    supersedes: string | null
    superseded_by: Generated<string | null>
    standup_id: string | null
    created_at: Created
    updated_at: Updated
  }
  'initiatives.artifacts': {
    id: string
    initiative_id: string
    type: 'meeting_notes' | 'decision_record' | 'criteria_update'
    title: string
    content: string
    standup_id: string | null
    approved_by: string | null
    approved_by_name: string | null
    approved_at: Created
  }
  'initiatives.links': {
    id: string
    initiative_id: string
    kind: 'deployment' | 'devlog' | 'transcript' | 'url'
    target: string
    title: string
    created_at: Created
  }
}

export type Db = Kysely<InitiativeTables>
export type DbTransaction = Transaction<InitiativeTables>
/** Either: a query that may be part of a transaction. */
export type Queries = Db | DbTransaction
