import type { SpendChange } from '#usage/contract'
import { splitName } from './spend-words.ts'

/** A bar of a waterfall: from one sum to the next. */
export interface Step {
  name: string
  /** The two ends of the bar, in dollars. */
  from: number
  to: number
  /** What is written beside it: the sum of a period, or the change of a row. */
  amount: string
  kind: 'sum' | 'up' | 'down'
}

/** From what was spent before to what is spent now, row by row; the last row is all others together. */
export function waterfallOf({ by, total, data, others }: SpendChange): Step[] {
  const changes = [
    ...data.map((row) => ({ name: splitName(by, row), change: row.change })),
    ...(others.count > 0 ? [{ name: `${others.count} others`, change: others.change }] : []),
  ].filter(({ change }) => change !== '0')
  let at = Number(total.before)
  const steps = changes.map(({ name, change }): Step => {
    const from = at
    at += Number(change)
    return { name, from, to: at, amount: change, kind: change.startsWith('-') ? 'down' : 'up' }
  })
  return [
    { name: 'Before', from: 0, to: Number(total.before), amount: total.before, kind: 'sum' },
    ...steps,
    { name: 'Now', from: 0, to: Number(total.now), amount: total.now, kind: 'sum' },
  ]
}

/** Where a bar lies, in percent of the widest sum. */
export function placeOf({ from, to }: Step, steps: readonly Step[]): { left: number; width: number } {
  const ends = steps.flatMap((step) => [step.from, step.to])
  const [least, most] = [Math.min(0, ...ends), Math.max(...ends)]
  const share = (value: number): number => (most === least ? 0 : ((value - least) / (most - least)) * 100)
  const [left, right] = [share(Math.min(from, to)), share(Math.max(from, to))]
  return { left, width: Math.max(0.4, right - left) }
}
