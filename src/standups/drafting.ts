import type { ModelCaller } from '#gateway'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { untrusted } from '#kernel/agent-loop'
import { checkLimits, type Limits, type SessionCalls } from './agent/limits.ts'
import { summaryInstructions } from './agent/instructions.ts'
import type { StandupEvent } from './contract.ts'
import { writeConfidence } from './documents/confidence-change.ts'
import { writeDecision } from './documents/decision-record.ts'
import { writeNotes } from './documents/meeting-notes.ts'
import { askedQuestions } from './documents/asked-questions.ts'
import { oneLine } from './documents/sections.ts'
import { statedDecisions, type StatedDecision } from './documents/stated-decisions.ts'
import { proposalJson } from './json.ts'
import { readEvents } from './store/event-store.ts'
import { listProposals } from './store/proposal-store.ts'
import type {
  ConfidenceContent,
  Db,
  DecisionContent,
  DraftEffect,
  ProposalRow,
  SessionRow,
} from './tables.ts'

export interface DraftingDeps {
  db: Db
  log: Log
  models: ModelCaller
  usage: SessionCalls
  limits: Limits
}

/** A document before it is stored. */
export interface NewDraft {
  title: string
  content: string
  proposalId: string | null
  effect: DraftEffect
}

const summaryTimeoutMs = 60_000
const maxEvents = 5_000

/** Documents of a session. `byModel`: a model may write the summary; without it, or where it fails, the log does. */
export function createDrafting(deps: DraftingDeps) {
  return async (session: SessionRow, byModel: boolean): Promise<NewDraft[]> => {
    const events = await readEvents(deps.db, session.id, 0, maxEvents)
    const proposals = await listProposals(deps.db, session.id)
    const summary = byModel && hasWords(events) ? await summarize(deps, session, events) : null
    const notes = {
      ...{ brief: session.brief, events, summary },
      proposals: proposals.map(proposalJson),
    }
    return [
      {
        title: titleOf(session.started_at),
        content: writeNotes(notes),
        proposalId: null,
        effect: { type: 'meeting_notes', questions: askedQuestions(events) },
      },
      ...proposals
        .filter(({ status }) => status !== 'rejected')
        .map((row) => (row.kind === 'decision' ? decisionDraft(row, session) : confidenceDraft(row))),
      ...statedDecisions(events).map((each) => statedDraft(each, session)),
    ]
  }
}

export type Drafting = ReturnType<typeof createDrafting>

const hasWords = (events: readonly StandupEvent[]): boolean =>
  events.some((event) => event.type === 'message' && event.role === 'user')

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const titleOf = (startedAt: Date): string => `Stand-up of ${longDate.format(startedAt)}`

async function summarize(
  { models, usage, limits, log }: DraftingDeps,
  session: SessionRow,
  events: readonly StandupEvent[],
): Promise<string | null> {
  try {
    await checkLimits(usage, limits, session)
    const record = events
      .flatMap((event) =>
        event.type === 'message' ? [`${event.author ?? 'The agent'}: ${event.content.slice(0, 4_000)}`] : [],
      )
      .join('\n\n')
    const { text } = await models.complete({
      groupId: session.group_id,
      purpose: 'standup-summary',
      session: session.id,
      request: {
        model: session.model,
        max_completion_tokens: 1_000,
        messages: [
          { role: 'system', content: summaryInstructions },
          { role: 'user', content: untrusted('record', record.slice(-20_000)) },
        ],
      },
      signal: AbortSignal.timeout(summaryTimeoutMs),
    })
    const summary = (text ?? '').trim().slice(0, 4_000)
    return summary === '' ? null : summary
  } catch (error) {
    log.info(
      { standup: session.id, reason: messageOf(error) },
      'the notes of a stand-up are without a summary',
    )
    return null
  }
}

/** Only a decision that a person accepted is one; the others are drafted as proposals. */
function decisionDraft(row: ProposalRow, session: SessionRow): NewDraft {
  const content = row.content as DecisionContent
  const decided =
    row.status === 'accepted' && row.settled_at
      ? { decided_by: row.settled_by_name ?? 'a person', decided_at: row.settled_at.toISOString() }
      : null
  return {
    title: content.title,
    content: writeDecision(session.initiative_id, content, decided),
    proposalId: row.id,
    effect: { type: 'decision_record', evidence: content.evidence, is_proposal: decided === null },
  }
}

function confidenceDraft(row: ProposalRow): NewDraft {
  const content = row.content as ConfidenceContent
  const { criterion_id, criterion, before, proposed, evidence } = content
  return {
    title: `Confidence: ${oneLine(criterion).slice(0, 200)}`,
    content: writeConfidence(content),
    proposalId: row.id,
    effect: {
      ...{ type: 'criteria_update', criterion_id, criterion, before, proposed, evidence },
      is_proposal: row.status !== 'accepted',
    },
  }
}

function statedDraft({ decision, rationale, by, at }: StatedDecision, session: SessionRow): NewDraft {
  const title = oneLine(decision).slice(0, 120)
  const rest = { context: '', options: [], consequences: '', evidence: [] }
  const decided = { decided_by: by ?? session.started_by_name ?? 'a person', decided_at: at }
  return {
    title,
    content: writeDecision(session.initiative_id, { title, decision, rationale, ...rest }, decided),
    proposalId: null,
    effect: { type: 'decision_record', evidence: [], is_proposal: false },
  }
}
