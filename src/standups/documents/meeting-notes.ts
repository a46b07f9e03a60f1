import type { Brief, DecisionProposal, Proposal, StandupEvent } from '../contract.ts'
import { askedQuestions, writeQuestions } from './asked-questions.ts'
import { inside, link, oneLine, section } from './sections.ts'
import { statedDecisions } from './stated-decisions.ts'

export interface NotesInput {
  brief: Brief
  events: readonly StandupEvent[]
  proposals: readonly Proposal[]
  /** By a model; null: it is made from what was said. */
  summary: string | null
}

const maxSaid = 20
const shortened = (text: string, most: number): string => {
  const line = oneLine(text)
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line
}

/** The notes of a stand-up. Only the summary may come from a model; the rest is from the log. */
export function writeNotes({ brief, events, proposals, summary }: NotesInput): string {
  const parts = [
    section('Summary', summary === null ? whatWasSaid(events) : inside(summary)),
    section('Decisions', [...decisionLines(proposals), ...statedLines(events)].join('\n')),
    section('Confidence', confidenceLines(proposals)),
    section('Questions', writeQuestions(askedQuestions(events))),
    section('Research', researchLines(events)),
    section(brief.since === null ? 'State' : 'Since the last stand-up', figures(brief)),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function whatWasSaid(events: readonly StandupEvent[]): string {
  const said = events.filter((event) => event.type === 'message' && event.role === 'user')
  if (said.length === 0)
    return events.some((event) => event.type === 'message')
      ? 'Only the agent spoke.'
      : 'Nobody said anything.'
  const lines = said
    .slice(0, maxSaid)
    .map((event) =>
      event.type === 'message' ? `- ${event.author ?? 'A person'}: ${shortened(event.content, 300)}` : '',
    )
  const more = said.length > maxSaid ? [`- … and ${said.length - maxSaid} more messages`] : []
  return [...lines, ...more].join('\n')
}

const states = { pending: 'proposed, not decided', accepted: 'accepted', rejected: 'rejected' } as const

function decisionLines(proposals: readonly Proposal[]): string[] {
  return proposals
    .map((proposal) =>
      proposal.kind === 'decision'
        ? `- ${oneLine(proposal.title)}: ${shortened(proposal.decision, 300)} (${states[proposal.status]}${replaces(proposal)})`
        : '',
    )
    .filter((line) => line !== '')
}

/** What people typed as decisions. */
function statedLines(events: readonly StandupEvent[]): string[] {
  return statedDecisions(events).map(({ decision, rationale, by }) => {
    const why = rationale === '' ? 'no reason given' : `reason: ${shortened(rationale, 300)}`
    return `- ${shortened(decision, 300)} (decided by ${oneLine(by ?? 'a person')}; ${why})`
  })
}

const replaces = ({ supersedes }: DecisionProposal): string =>
  supersedes === null ? '' : `, supersedes “${oneLine(supersedes.title)}”`

function confidenceLines(proposals: readonly Proposal[]): string {
  return proposals
    .map((proposal) =>
      proposal.kind === 'confidence'
        ? `- ${oneLine(proposal.criterion)}: ${proposal.before ?? 'none'} → ${proposal.confidence}. ${shortened(proposal.rationale, 300)} (${states[proposal.status]})`
        : '',
    )
    .filter((line) => line !== '')
    .join('\n')
}

function researchLines(events: readonly StandupEvent[]): string {
  return events
    .map((event) => {
      if (event.type !== 'research') return ''
      const found = event.results.slice(0, 5).map(({ title, url }) => link(title, url))
      return `- ${shortened(event.query, 200)}: ${found.length === 0 ? 'nothing found' : found.join(', ')}`
    })
    .filter((line) => line !== '')
    .join('\n')
}

const ofGroup = ({ scope }: Brief['devlogs'] | Brief['deployments']): string =>
  scope === 'initiative' ? '' : ' of the group'

function figures({ criteria, tickets, deployments, devlogs }: Brief): string {
  return [
    `- Tickets: ${tickets.done} done, ${tickets.created} created, ${tickets.open} open`,
    `- Deployments${ofGroup(deployments)}: ${deployments.succeeded} succeeded, ${deployments.failed} failed`,
    `- Devlogs${ofGroup(devlogs)}: ${devlogs.count}`,
    ...criteria.map(({ text, confidence }) => `- ${oneLine(text)}: confidence ${confidence ?? 'not given'}`),
  ].join('\n')
}
