import { useQuery } from '@tanstack/react-query'
import type { ThingRef, ThingType } from '#links/contract'
import { linksQuery } from './link-queries.ts'
import { ThingLink } from './thing-link.tsx'

interface LinkedFactProps {
  groupId: string
  thing: ThingRef
  /** The other end. */
  other: { type: ThingType; id: string }
}

/** Another thing that a thing names by its ID, shown by its title. */
export function LinkedFact({ groupId, thing, other }: LinkedFactProps) {
  const { data } = useQuery(linksQuery(groupId, thing))
  const ends = data?.flatMap(({ from, to }) => [from, to])
  const found = ends?.find(({ type, id }) => type === other.type && id === other.id)
  if (found) return <ThingLink thing={found} />
  return <span className="text-ink-faint">{data ? 'deleted' : '…'}</span>
}
