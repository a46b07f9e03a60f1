import type { Approved, Author, InitiativeWriter } from '#initiatives'
import { storableJson } from '#kernel/db'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import type { ApproveBody, Draft, Proposal, ProposalEdit } from './contract.ts'
import { keptQuestions } from './documents/asked-questions.ts'
import { readConfidence, withBefore } from './documents/confidence-change.ts'
import { asDecided, readDecision } from './documents/decision-record.ts'
import { draftJson, proposalJson } from './json.ts'
import { writingTo, type SessionLog } from './session-log.ts'
import { findDraft, settleDraft } from './store/draft-store.ts'
import { checkSpeaker } from './participants.ts'
import { replaceOthers } from './replace-proposals.ts'
import { findProposal, updateProposal } from './store/proposal-store.ts'
import { lockSession, noteActivity } from './store/session-store.ts'
import type { Standups } from './standups.ts'
import type {
  ConfidenceContent,
  Db,
  DbTransaction,
  DecisionContent,
  DraftRow,
  ProposalRow,
  SessionRow,
} from './tables.ts'

export interface SettlingDeps {
  db: Db
  sessions: SessionLog
  standups: Pick<Standups, 'find' | 'tell'>
  writer: InitiativeWriter
}

/** What people decide about: proposals while they talk, drafts afterwards. Only approved drafts reach the initiative. */
export function createSettling({ db, sessions, standups, writer }: SettlingDeps) {
  async function settleProposal(
    initiativeId: string,
    id: string,
    change: (
      row: ProposalRow,
    ) => Partial<Pick<ProposalRow, 'status' | 'edited' | 'reason'>> & { content?: object },
    author: Author,
  ): Promise<Proposal> {
    const session = await standups.find(initiativeId, undefined)
    if (!(await findProposal(db, session.id, id))) throw notFound('The proposal')
    checkSpeaker(session, author)
    return sessions.writeOpen(session.id, async ({ transaction, add }) => {
      const row = await findProposal(transaction, session.id, id)
      if (!row) throw notFound('The proposal')
      const { content, ...rest } = change(row)
      const settled = await updateProposal(transaction, id, {
        ...rest,
        ...(content && { content: storableJson(content) }),
        ...{ settled_by: author.userId, settled_by_name: author.name, settled_at: new Date() },
      })
      const proposal = proposalJson(settled)
      await add({ type: 'proposal', proposal })
      if (settled.status === 'accepted') await replaceOthers({ transaction, add }, settled)
      await noteActivity(transaction, session.id)
      return proposal
    })
  }

  async function draftOf(initiativeId: string, id: string): Promise<{ row: DraftRow; session: SessionRow }> {
    const row = await findDraft(db, initiativeId, id)
    if (!row) throw notFound('The artifact')
    return { row, session: await standups.find(initiativeId, row.session_id) }
  }

  /** In the transaction of the caller: the first who settles a draft has settled it. */
  async function settle(
    transaction: DbTransaction,
    { id, session_id }: DraftRow,
    author: Author,
    values: Partial<Pick<DraftRow, 'status' | 'title' | 'content' | 'drafted_content' | 'reason'>>,
  ): Promise<Draft> {
    const session = await lockSession(transaction, session_id)
    if (!session) throw notFound('The artifact')
    const row = await settleDraft(transaction, id, {
      ...values,
      ...{ settled_by: author.userId, settled_by_name: author.name, settled_at: new Date() },
    })
    if (!row) throw new Fault(faults.conflict, 'The artifact has already been approved or rejected.')
    const artifact = draftJson(row)
    await writingTo(transaction, session).add({ type: 'artifact', artifact })
    return artifact
  }

  return {
    accept: (initiativeId: string, id: string, author: Author) =>
      settleProposal(initiativeId, id, () => ({ status: 'accepted', reason: null }), author),
    edit: (initiativeId: string, id: string, author: Author, edit: ProposalEdit) =>
      settleProposal(
        initiativeId,
        id,
        (row) => ({ status: 'accepted', reason: null, edited: true, content: edited(row, edit) }),
        author,
      ),
    rejectProposal: (initiativeId: string, id: string, author: Author, reason: string | undefined) =>
      settleProposal(initiativeId, id, () => ({ status: 'rejected', reason: reason ?? null }), author),

    draft: async (initiativeId: string, id: string): Promise<Draft> =>
      draftJson((await draftOf(initiativeId, id)).row),

    async approve(initiativeId: string, id: string, author: Author, body: ApproveBody): Promise<Draft> {
      const { row, session } = await draftOf(initiativeId, id)
      if (row.status !== 'draft')
        throw new Fault(faults.conflict, 'The artifact has already been approved or rejected.')
      const title = body.title ?? row.title
      const expected = expectedConfidence(row, body)
      const completed = completing(row, author, expected)
      const content = completed(body.content ?? row.content)
      let approved: Draft | undefined
      const whole = toApproved(session, row, { title, content, expected })
      await writer.approve(author, whole, async (transaction) => {
        const own = transaction as unknown as DbTransaction
        const drafted_content = completed(row.drafted_content)
        approved = await settle(own, row, author, { status: 'approved', title, content, drafted_content })
      })
      if (!approved) throw new Error('an approval did not settle its draft')
      standups.tell(session, author.userId, 'artifact approved', audited(row, approved))
      return approved
    },
    async reject(
      initiativeId: string,
      id: string,
      author: Author,
      reason: string | undefined,
    ): Promise<Draft> {
      const { row, session } = await draftOf(initiativeId, id)
      const rejected = await db
        .transaction()
        .execute((transaction) =>
          settle(transaction, row, author, { status: 'rejected', reason: reason ?? null }),
        )
      standups.tell(session, author.userId, 'artifact rejected', audited(row, rejected))
      return rejected
    },
  }
}

export type Settling = ReturnType<typeof createSettling>

const audited = ({ id, type }: DraftRow, { title, edited: isEdited, settled_by }: Draft): object => ({
  artifact_id: id,
  artifact_type: type,
  artifact_title: title,
  edited: isEdited,
  settled_by,
})

/** What the confidence must be now for the draft to apply: what it was when it was proposed, unless the body says more. */
function expectedConfidence({ effect }: DraftRow, { expected_confidence }: ApproveBody): number | null {
  if (effect.type === 'criteria_update')
    return expected_confidence === undefined ? effect.before : expected_confidence
  if (expected_confidence !== undefined)
    throw invalidField('expected_confidence', 'is for a change of confidence only')
  return null
}

/** Fills in what only the approval knows, so that the document and the row that it becomes do not differ. */
function completing(
  { type }: DraftRow,
  author: Author,
  expected: number | null,
): (content: string) => string {
  const decided = { decided_by: author.name, decided_at: new Date().toISOString() }
  if (type === 'decision_record') return (content) => asDecided(content, decided)
  return type === 'criteria_update' ? (content) => withBefore(content, expected) : (content) => content
}

interface Completed {
  title: string
  content: string
  expected: number | null
}

/** What the document says, edited or not, is what is recorded. */
function toApproved(session: SessionRow, row: DraftRow, { title, content, expected }: Completed): Approved {
  const place = {
    groupId: session.group_id,
    initiativeId: session.initiative_id,
    standupId: session.id,
    ...{ title, content },
  }
  const { effect } = row
  if (effect.type === 'decision_record')
    return {
      ...place,
      effect: { type: effect.type, decision: readDecision(title, content, effect.evidence) },
    }
  if (effect.type === 'criteria_update') {
    const { criterion_id: criterionId, proposed, evidence } = effect
    const change = readConfidence(content, evidence)
    return { ...place, effect: { type: effect.type, criterionId, proposed, expected, ...change } }
  }
  const questions = keptQuestions(content, effect.questions ?? [])
  return { ...place, effect: { type: effect.type, questions } }
}

const fieldsOf = {
  decision: ['title', 'context', 'options', 'decision', 'rationale', 'consequences'],
  confidence: ['confidence', 'rationale'],
} as const satisfies Record<ProposalRow['kind'], readonly (keyof ProposalEdit)[]>

function edited({ kind, content }: ProposalRow, edit: ProposalEdit): DecisionContent | ConfidenceContent {
  const given = Object.entries(edit).filter(([, value]) => value !== undefined)
  if (given.length === 0) throw invalidField('body', 'must change something')
  const allowed: readonly string[] = fieldsOf[kind]
  const wrong = given.find(([name]) => !allowed.includes(name))
  if (wrong) throw invalidField(wrong[0], `is not a field of a ${kind}`)
  const changed = { ...content, ...Object.fromEntries(given) } as DecisionContent | ConfidenceContent
  if (kind === 'confidence' && changed.rationale.trim() === '')
    throw invalidField('rationale', 'is needed with a new confidence')
  return changed
}
