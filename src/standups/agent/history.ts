import type { Initiative } from '#initiatives/contract'
import { untrusted } from '#kernel/agent-loop'
import type { Brief, StandupEvent } from '../contract.ts'
import { statedDecisions } from '../documents/stated-decisions.ts'
import { instructions, openingRequest } from './instructions.ts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** What earlier turns may take of the model's context, in characters. */
const maxHistory = 160_000

/**
 * The conversation as the model gets it, made from the log of the session: what was said, and notes about what
 * happened. Calls of tools in earlier turns are left out, so that a turn that was cut off leaves nothing to repair.
 */
export function historyOf(
  initiative: Initiative,
  brief: Brief,
  events: readonly StandupEvent[],
): ChatMessage[] {
  const said = events.flatMap((event) => messageOf(event) ?? [])
  const start: ChatMessage = {
    role: 'user',
    content: [
      openingRequest,
      'The initiative:',
      untrusted('initiative', outlineOf(initiative)),
      'What moved since the last stand-up, counted by the platform:',
      untrusted('brief', brief),
    ].join('\n\n'),
  }
  return [
    { role: 'system', content: instructions },
    ...merged([start, ...newest(said), ...missingReasons(events)]),
  ]
}

/** Without histories and documents, which the agent reads when it needs them. */
function outlineOf(initiative: Initiative): object {
  const { id, slug, title, description, status, owner, criteria, findings, open_questions, decisions } =
    initiative
  return {
    ...{ id, slug, title, status, owner },
    description: description.slice(0, 4_000),
    criteria: criteria.map(({ history: _history, ...criterion }) => criterion),
    findings: findings.slice(-30),
    open_questions: open_questions.filter(({ answered_at }) => answered_at === null).slice(-30),
    decisions: decisions.slice(0, 20).map((decision) => ({
      ...{ id: decision.id, title: decision.title, decision: decision.decision.slice(0, 500) },
      ...{ status: decision.status, decided_at: decision.decided_at },
    })),
  }
}

function messageOf(event: StandupEvent): ChatMessage | undefined {
  if (event.type === 'message')
    return event.role === 'user'
      ? { role: 'user', content: defused(event.content) }
      : { role: 'assistant', content: event.interrupted ? `${event.content} …` : event.content }
  if (event.type === 'question') return note(`You asked (${event.category}): ${event.content}`)
  if (event.type === 'proposal') return note(proposalNote(event.proposal))
  if (event.type !== 'research') return undefined
  const by = event.requested_by === 'agent' ? 'Your research' : 'Research that the person asked for'
  const { query, results } = event
  return note(`${by}:\n${untrusted('research', { query, results })}`)
}

function proposalNote(proposal: Extract<StandupEvent, { type: 'proposal' }>['proposal']): string {
  const what =
    proposal.kind === 'decision'
      ? `the decision "${proposal.title}"`
      : `a confidence of ${proposal.confidence} for "${proposal.criterion}"`
  if (proposal.status === 'pending') return `You proposed ${what} (${proposal.id}).`
  const edited = proposal.edited ? ', edited' : ''
  const why = proposal.reason === null ? '' : ` Reason: ${proposal.reason}`
  return `${proposal.settled_by ?? 'The person'} ${proposal.status} your proposal ${proposal.id}${edited}: ${what}.${why}`
}

const note = (content: string): ChatMessage => ({ role: 'user', content: `[Signalbox] ${defused(content)}` })

/** What people write does not look like a note of the platform. */
const defused = (text: string): string => text.replaceAll(/\[(\s*signalbox[^\]\n]{0,1000})\]/gi, '($1)')

/** Asks the agent for the reasons of decisions that the person typed without any. */
function missingReasons(events: readonly StandupEvent[]): ChatMessage[] {
  const open = statedDecisions(events).filter(({ rationale, isAsked }) => rationale === '' && !isAsked)
  if (open.length === 0) return []
  const list = open.map(({ decision }) => `"${decision.slice(0, 300)}"`).join(', ')
  return [
    note(
      `The person decided ${list} and gave no reason. Ask for the reason with ask_question, once. ` +
        'The decision itself is drafted by the platform.',
    ),
  ]
}

/** The last messages that fit. */
function newest(messages: readonly ChatMessage[]): ChatMessage[] {
  let left = maxHistory
  const first = messages.findLastIndex(({ content }) => (left -= content.length) < 0)
  return messages.slice(first + 1)
}

/** Some models take only one message of a side at a time. */
function merged(messages: readonly ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = []
  for (const { role, content } of messages) {
    const last = result.at(-1)
    if (last?.role === role) last.content += `\n\n${content}`
    else result.push({ role, content })
  }
  return result
}
