import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ThingRef } from '#links/contract'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { whyQuery } from './link-queries.ts'
import { WhyChain } from './why-chain.tsx'

const choices = [
  { id: 'up', label: 'Why?' },
  { id: 'down', label: 'What it caused' },
] as const

/** Why a thing happened, or what it caused, step by step with the evidence. */
export function WhyCard({ groupId, thing }: { groupId: string; thing: ThingRef }) {
  const [direction, setDirection] = useState<'up' | 'down'>('up')
  const { data, error, refetch } = useQuery(whyQuery(groupId, thing, direction))
  return (
    <Card
      title={direction === 'up' ? 'Why?' : 'What it caused'}
      action={<Segmented label="Direction" choices={choices} value={direction} onChange={setDirection} />}
    >
      {error && <FailureNotice error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton className="h-24 w-full" />}
      {data &&
        (data.length > 1 ? (
          <WhyChain steps={data} isTree={direction === 'down'} />
        ) : (
          <p className="text-sm text-ink-faint">
            {direction === 'up'
              ? 'Nothing is known of what it came from. Link a commit, a pull request, a session or a ticket to find out.'
              : 'Nothing is known to have come from it.'}
          </p>
        ))}
    </Card>
  )
}
