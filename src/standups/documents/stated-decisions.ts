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
  const found: StatedDecision[] = []
  for (const [index, event] of events.entries()) {
    if (event.type !== 'message' || event.role !== 'user') continue
    for (const { line, part } of decisionsIn(event.content, maxStated - found.length)) {
      const later = events.slice(index + 1)
      found.push({
        messageId: event.message_id,
        decision: line.trim().slice(0, 10_000),
        isAsked: later.some(asksWhy),
        rationale: reasonFor(line, part, later).slice(0, maxReason),
        by: event.author,
        at: event.created_at,
      })
    }
  }
  return found
}

/** Each with the part of the message that is about it: up to the next decision. */
function decisionsIn(message: string, limit: number): { line: string; part: string }[] {
  const found: RegExpExecArray[] = []
  for (const match of message.matchAll(stated)) if (found.push(match) > limit) break
  return found.slice(0, limit).map((match, at) => {
    const from = at === 0 ? 0 : match.index
    return { line: match[1] ?? '', part: message.slice(from, found[at + 1]?.index) }
  })
}

/** In the line itself, in a line of its own, or in the answer once the agent has asked why. */
function reasonFor(line: string, part: string, later: readonly StandupEvent[]): string {
  const inLine = /\bbecause\s+(\S.*)$/is.exec(line)?.[1] ?? reasonLine.exec(part)?.[1]
  if (inLine !== undefined) return inLine.trim()
  const asked = later.findIndex(asksWhy)
  const answer = asked === -1 ? undefined : later.slice(asked).find(isSaid)
  if (answer?.type === 'message')
    return reasonLine.exec(answer.content)?.[1]?.trim() ?? oneLine(answer.content)
  const next = later.find(isSaid)
  return next?.type === 'message' ? (reasonLine.exec(next.content)?.[1]?.trim() ?? '') : ''
}

const isSaid = (event: StandupEvent): boolean => event.type === 'message' && event.role === 'user'
