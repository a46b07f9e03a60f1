/** Trackers without fields for these say them by labels. */

const priorities: readonly (readonly [RegExp, string])[] = [
  [/^(?:priority\W*)?(?:p0|critical|urgent|blocker)$/i, 'urgent'],
  [/^(?:priority\W*)?(?:p1|high)$/i, 'high'],
  [/^(?:priority\W*)?(?:p2|medium|normal)$/i, 'medium'],
  [/^(?:priority\W*)?(?:p3|p4|low)$/i, 'low'],
]

/** The highest priority that a label names. */
export function priorityOf(labels: readonly string[]): string | null {
  return priorities.find(([pattern]) => labels.some((label) => pattern.test(label)))?.[1] ?? null
}

export const isInProgress = (labels: readonly string[]): boolean =>
  labels.some((label) => /^(?:status\W*)?(?:in[ _-]?progress|doing|wip)$/i.test(label))
