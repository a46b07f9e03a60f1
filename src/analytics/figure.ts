import type { Figure } from './contract.ts'

export function figureOf(value: number | null, previous: number | null): Figure {
  const isComparable = value !== null && previous !== null && previous !== 0
  return { value, previous, change: isComparable ? (value - previous) / previous : null }
}

/** Null without data: a share of nothing is neither 0 nor 1. */
export const shareOf = (part: number, total: number): number | null => (total === 0 ? null : part / total)
