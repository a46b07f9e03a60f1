import type { ColumnType, Generated, JSONColumnType, Kysely, Selectable, Transaction } from 'kysely'
import type { EvidenceItem, Question } from '#initiatives/contract'
import type { Brief } from './shapes/brief.ts'

type QuestionCategory = Question['category']
type Created = ColumnType<Date, never, never>
type Time = ColumnType<Date | null, never, Date>

/** What a proposal says; the page sees it with its state. */
export interface DecisionContent {
  title: string
  context: string
  options: string[]
  decision: string
  rationale: string
  consequences: string
  evidence: EvidenceItem[]
  /** Absent in proposals of earlier versions. */
  supersedes?: { id: string; title: string } | null
}

export interface ConfidenceContent {
  criterion_id: string
  criterion: string
  before: number | null
  confidence: number
  proposed: number
  rationale: string
  evidence: EvidenceItem[]
}

/** A question of the agent, as the notes have it. */
export interface AskedQuestion {
  id: string
  text: string
  category: QuestionCategory
  answer: string | null
  answered_by: string | null
}

/**
 * What approving a draft changes beyond its document. `is_proposal`: nobody accepted it in the stand-up. Optional fields
 * are absent in drafts of earlier versions.
 */
export type DraftEffect =
  | { type: 'meeting_notes'; questions?: AskedQuestion[] }
  | { type: 'decision_record'; evidence: EvidenceItem[]; is_proposal?: boolean }
  | {
      type: 'criteria_update'
      criterion_id: string
      criterion: string
      before: number | null
      proposed: number
      evidence: EvidenceItem[]
      is_proposal?: boolean
    }

/** Somebody other than the person who started the stand-up who may speak. */
export interface Invited {
  user_id: string
  name: string
}

export interface StandupTables {
  'standups.sessions': {
    id: string
    group_id: string
    initiative_id: string
    title: string
    status: 'open' | 'ended'
    model: string
    brief: JSONColumnType<Brief>
    message_count: Generated<number>
    last_seq: ColumnType<string, never, never>
    started_by: string | null
    started_by_name: string | null
    invited: ColumnType<Invited[], never, string>
    started_at: Created
    last_activity_at: Generated<Date>
    ended_at: Time
    ended_reason: Generated<'person' | 'idle' | null>
    is_waiting: Generated<boolean>
    work: Generated<'turn' | 'end' | null>
    work_id: Generated<string | null>
    work_until: ColumnType<Date | null, never, Date | null>
  }
  'standups.events': {
    session_id: string
    seq: string
    type: string
    data: JSONColumnType<Record<string, unknown>>
    at: Created
  }
  'standups.proposals': {
    id: string
    session_id: string
    kind: 'decision' | 'confidence'
    status: Generated<'pending' | 'accepted' | 'rejected'>
    proposed: JSONColumnType<DecisionContent | ConfidenceContent>
    content: JSONColumnType<DecisionContent | ConfidenceContent>
    edited: Generated<boolean>
    settled_by: Generated<string | null>
    settled_by_name: Generated<string | null>
    settled_at: Time
    reason: Generated<string | null>
    created_at: Created
  }
  'standups.drafts': {
    id: string
    session_id: string
    type: 'meeting_notes' | 'decision_record' | 'criteria_update'
    status: Generated<'draft' | 'approved' | 'rejected'>
    drafted_title: string
    drafted_content: string
    title: string
    content: string
    proposal_id: string | null
    effect: JSONColumnType<DraftEffect>
    settled_by: Generated<string | null>
    settled_by_name: Generated<string | null>
    settled_at: Time
    reason: Generated<string | null>
    created_at: Created
  }
}

export type Db = Kysely<StandupTables>
export type DbTransaction = Transaction<StandupTables>
/** Either: a query that may be part of a transaction. */
export type Queries = Db | DbTransaction

export type SessionRow = Selectable<StandupTables['standups.sessions']>
export type ProposalRow = Selectable<StandupTables['standups.proposals']>
export type DraftRow = Selectable<StandupTables['standups.drafts']>
