import { attentionSeverities, type AttentionSource, type AttentionThing } from '#kernel/attention'
import type { AttentionItem } from './contract.ts'

const maxNames = 3

/** One line for all things of a source; undefined where there are none. */
export function toItem(
  source: AttentionSource,
  things: readonly AttentionThing[],
): AttentionItem | undefined {
  const [first] = things
  if (!first) return undefined
  const isOne = things.length === 1
  const { title, path } = isOne ? first : source.several(things)
  const times = things.flatMap(({ since }) => since ?? [])
  return {
    kind: source.kind,
    severity: highest(things.map(({ severity }) => severity ?? source.severity)),
    title,
    detail: isOne ? first.detail : namesOf(things),
    url: path,
    count: things.length,
    since: times.length === 0 ? null : new Date(Math.min(...times.map(Number))).toISOString(),
    paths: [...new Set(things.map((thing) => thing.path))],
  }
}

const rank = ({ severity }: Pick<AttentionItem, 'severity'>): number => attentionSeverities.indexOf(severity)

const highest = (all: readonly AttentionItem['severity'][]): AttentionItem['severity'] =>
  attentionSeverities.findLast((each) => all.includes(each)) ?? 'info'

/** What is worst comes first; of the same severity, what has been so for longest. */
export const inOrder = (items: readonly AttentionItem[]): AttentionItem[] =>
  items.toSorted(
    (one, other) => rank(other) - rank(one) || (one.since ?? '~').localeCompare(other.since ?? '~'),
  )

function namesOf(things: readonly AttentionThing[]): string {
  const names = [...new Set(things.map(({ name }) => name))]
  const more = names.length - maxNames
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
