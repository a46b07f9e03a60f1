import type { StandupEvent } from '../contract.ts'
import { oneLine } from './sections.ts'

/** A line of a person that begins with "Decision:". */
export interface StatedDecision {
  messageId: string
  decision: string
  /** Empty where the person gave none. */
  rationale: string
  /** Whether the agent has asked for it since. */
  isAsked: boolean
  by: string | null
  at: string
}

const stated = /^[ \t]*(?:\*\*)?(?:decision|decided)(?:\*\*)?:\s{0,100}(\S.*)$/gim
const reasonLine = /^[ \t]*(?:\*\*)?(?:reason|rationale|because|why)(?:\*\*)?:?\s{1,100}(\S.*)$/im
const asksWhy = (event: StandupEvent): boolean =>
  event.type === 'question' && /\b(?:why|reasons?|rationale)\b/i.test(event.content)
const maxStated = 20
const maxReason = 4_000

/** Decisions that people typed, also where no model took them up. */
export function statedDecisions(events: readonly StandupEvent[]): StatedDecision[] {
  return events
    .flatMap((event, index) => {
      if (event.type !== 'message' || event.role !== 'user') return []
      return [...event.content.matchAll(stated)].map(([, line = '']) => ({
        messageId: event.message_id,
        decision: line.trim().slice(0, 10_000),
        isAsked: events.slice(index + 1).some(asksWhy),
        rationale: reasonFor(line, event.content, events.slice(index + 1)).slice(0, maxReason),
        by: event.author,
        at: event.created_at,
      }))
    })
    .slice(0, maxStated)
}

/** In the line itself, in a line of its own, or in the answer once the agent has asked why. */
function reasonFor(line: string, message: string, later: readonly StandupEvent[]): string {
  const inLine = /\bbecause\s+(\S.*)$/is.exec(line)?.[1] ?? reasonLine.exec(message)?.[1]
  if (inLine !== undefined) return inLine.trim()
  const asked = later.findIndex(asksWhy)
  const answer = asked === -1 ? undefined : later.slice(asked).find(isSaid)
  if (answer?.type === 'message')
    return reasonLine.exec(answer.content)?.[1]?.trim() ?? oneLine(answer.content)
  const next = later.find(isSaid)
  return next?.type === 'message' ? (reasonLine.exec(next.content)?.[1]?.trim() ?? '') : ''
}

const isSaid = (event: StandupEvent): boolean => event.type === 'message' && event.role === 'user'
