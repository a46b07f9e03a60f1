import type { Limit } from '#limits/contract'
import type { Metric, SubjectType, Window } from './limit-words.ts'

/** A limit as the form holds it. */
export interface LimitDraft {
  type: SubjectType
  id: string
  metric: Metric
  amount: string
  window: Window
  action: Limit['action']
  onOutage: Limit['on_outage']
  unpriced: Limit['unpriced']
}

/** A budget of a day is what most people want first. */
export function newDraft(given: { type?: SubjectType | undefined; id?: string | undefined }): LimitDraft {
  return {
    type: given.type ?? 'group',
    id: given.id ?? '',
    metric: 'cost',
    amount: '',
    window: 'day',
    action: 'block',
    onOutage: 'refuse',
    unpriced: 'block',
  }
}

export const draftOf = (limit: Limit): LimitDraft => ({
  type: limit.subject.type,
  id: limit.subject.id ?? '',
  metric: limit.metric,
  amount: String(limit.amount),
  window: limit.window ?? 'total',
  action: limit.action,
  onOutage: limit.on_outage,
  unpriced: limit.unpriced,
})

/** What is missing before the limit can be tried or saved; undefined: nothing. */
export function missing({ type, id, metric, amount }: LimitDraft): string | undefined {
  if (type !== 'group' && ['', 'label:'].includes(id.trim())) return 'Choose whom or what the limit is for.'
  if (!/^\d{1,15}(\.\d{1,9})?$/.test(amount.trim()) || Number(amount) === 0) return 'Enter an amount above 0.'
  if (metric !== 'cost' && !/^\d+$/.test(amount.trim())) return 'Enter a whole number.'
  return undefined
}

export function bodyOf(draft: LimitDraft) {
  const { type, id, metric, window, action, onOutage, unpriced } = draft
  const amount = draft.amount.trim()
  return {
    subject: type === 'group' ? { type } : { type, id: id.trim() },
    metric,
    amount,
    ...(metric !== 'concurrent' && { window }),
    action,
    on_outage: onOutage,
    ...(metric === 'cost' && { unpriced }),
  }
}

/** Whom it is for, what it measures and how often it resets does not change: a new limit does that. */
export function changesOf(draft: LimitDraft) {
  const { amount, action, on_outage: onOutage, unpriced } = bodyOf(draft)
  return { amount, action, on_outage: onOutage, ...(unpriced !== undefined && { unpriced }) }
}
