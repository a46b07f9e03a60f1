import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { dayOf } from '../../../ui/moment.ts'
import { Card } from '../../../ui/page.tsx'
import { decisionTones } from '../initiative-words.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import type { Place } from './place.ts'

export function DecisionsCard({ place }: { place: Place }) {
  const [isAdding, setIsAdding] = useState(false)
  const { decisions, slug } = place.initiative
  return (
    <Card
      title="Decisions"
      description="What was decided and why. A decision is not changed; a new one supersedes it."
      action={
        place.mayChange && (
          <Button size="small" icon={Plus} onClick={() => setIsAdding(true)}>
            Record decision
          </Button>
        )
      }
    >
      {decisions.length === 0 ? (
        <p className="text-sm text-ink-faint">
          No decisions yet. Those that are made in a stand-up appear here once you have approved them.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {decisions.map(({ id, title, decision, status, decided_by, decided_at }) => (
            <li key={id} className="py-3 first:pt-0 last:pb-0">
              <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
                <Link
                  to="/initiatives/$id"
                  params={{ id: slug }}
                  search={{ decision: id }}
                  resetScroll={false}
                  className="text-sm font-medium [overflow-wrap:anywhere] hover:underline"
                >
                  {title}
                </Link>
                {status !== 'accepted' && <Badge tone={decisionTones[status]}>{status}</Badge>}
              </p>
              <p className="line-clamp-2 text-sm [overflow-wrap:anywhere] text-ink-soft">{decision}</p>
              <p className="text-xs text-ink-faint">{`${decided_by}, ${dayOf(decided_at)}`}</p>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <DecisionDialog place={place} onClose={() => setIsAdding(false)} />}
    </Card>
  )
}
