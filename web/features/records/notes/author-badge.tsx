import { Bot, User } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import type { Note } from './note-kinds.ts'

export function AuthorBadge({ note }: { note: Note }) {
  const isAi = note.author_kind === 'ai'
  const Icon = isAi ? Bot : User
  return (
    <Badge tone={isAi ? 'info' : 'neutral'}>
      <Icon aria-hidden className="mr-1 size-3" />
      {isAi ? 'AI' : 'Human'}
    </Badge>
  )
}
