import { countText, percentText } from './quantity.ts'

interface Figures {
  now: number | null
  before: number | null
  /** Shares change by percentage points, amounts by percent. */
  isShare?: boolean
}

export interface ChangeText {
  text: string
  /** 0 where there is nothing to compare, or no change. */
  direction: -1 | 0 | 1
}

/** From here on an amount is said as a multiple: percentages of four digits say nothing. */
const leastFactor = 10
/** From here on the period before had so little that a comparison is noise. */
const noiseFactor = 1000

/** `+12.5%`, `−3.2 points`, `392 ×`, `new`, `no change`, `–`. */
export function changeText({ now, before, isShare = false }: Figures): ChangeText {
  if (now === null || before === null) return { text: '–', direction: 0 }
  if (now === before) return { text: 'no change', direction: 0 }
  if (!isShare && now / before >= noiseFactor) return { text: 'new', direction: 1 }
  const change = isShare ? now - before : now / before - 1
  if (Math.abs(change) < 0.0005) return { text: 'no change', direction: 0 }
  const direction = change > 0 ? 1 : -1
  if (!isShare && now / before >= leastFactor)
    return { text: `${countText(Math.round(now / before))} ×`, direction }
  const size = Math.abs(change)
  const amount = isShare ? `${(size * 100).toFixed(1)} points` : percentText(size)
  return { text: `${direction > 0 ? '+' : '−'}${amount}`, direction }
}
