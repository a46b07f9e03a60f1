import type { Criterion, Decision, Initiative, Question } from '#initiatives/contract'
import type { Tone } from '../../ui/badge.tsx'

export const statusNames: Record<Initiative['status'], string> = {
  active: 'Active',
  paused: 'Paused',
  done: 'Done',
}

export const statusTones: Record<Initiative['status'], Tone> = {
  active: 'info',
  paused: 'neutral',
  done: 'success',
}

export const statusChoices = Object.entries(statusNames).map(([id, label]) => ({
  id: id as Initiative['status'],
  label,
}))

export const categoryNames: Record<Question['category'], string> = {
  direction: 'Direction',
  priority: 'Priority',
  clarification: 'Clarification',
  approval: 'Approval',
}

export const categoryChoices = Object.entries(categoryNames).map(([id, label]) => ({
  id: id as Question['category'],
  label,
}))

export const categoryTones: Record<Question['category'], Tone> = {
  direction: 'info',
  priority: 'accent',
  clarification: 'neutral',
  approval: 'success',
}

export const decisionTones: Record<Decision['status'], Tone> = {
  accepted: 'success',
  deprecated: 'neutral',
  superseded: 'accent',
}

const words = ['very unlikely', 'unlikely', 'even', 'likely', 'very likely'] as const

/** A word for each fifth of the scale. */
export const confidenceWord = (confidence: number): string =>
  words[Math.min(4, Math.floor(confidence / 20))] ?? ''

export type ConfidenceLevel = 'low' | 'middle' | 'high'

export const confidenceLevel = (confidence: number): ConfidenceLevel =>
  confidence < 40 ? 'low' : confidence < 70 ? 'middle' : 'high'

const staleAfter = 14 * 86_400_000

/** When somebody last said how sure they are. */
export const confirmedAt = ({ history, updated_at }: Pick<Criterion, 'history' | 'updated_at'>): string =>
  history.at(-1)?.created_at ?? updated_at

/** Nobody has confirmed it for 14 days: the same rule as in stand-ups. */
export const isStale = (criterion: Criterion, now: number): boolean =>
  criterion.confidence !== null && now - Date.parse(confirmedAt(criterion)) > staleAfter

/** What the agent last proposed; undefined where it never has. */
export const agentEstimate = ({ history }: Pick<Criterion, 'history'>): number | undefined =>
  history.findLast(({ proposed }) => proposed !== null)?.proposed ?? undefined
