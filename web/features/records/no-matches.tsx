import { SearchX } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

interface NoMatchesProps {
  /** One of them, such as "ticket". */
  noun: string
  plural: string
  onClear: () => void
}

/** In place of a list that its filters leave empty. */
export function NoMatches({ noun, plural, onClear }: NoMatchesProps) {
  return (
    <EmptyState
      icon={SearchX}
      title={`No matching ${plural}`}
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      No {noun} matches all of these filters. Remove one of them.
    </EmptyState>
  )
}
