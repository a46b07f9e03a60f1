import { Link } from '@tanstack/react-router'
import { Badge } from '../../../ui/badge.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { AuthorBadge } from './author-badge.tsx'
import { excerptOf } from './excerpt.ts'
import { serviceOf, sortOf, titleOf, type Note, type NoteKind } from './note-kinds.ts'

export function NoteCards({ kind, notes }: { kind: NoteKind; notes: readonly Note[] }) {
  return (
    <ul
      aria-label={kind.title}
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-low"
    >
      {notes.map((note) => (
        <li key={note.id} className="px-4 py-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <Link
              to={`/${kind.path}/$id`}
              params={{ id: note.id }}
              className="min-w-0 font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {titleOf(note)}
            </Link>
            <span className="text-xs text-ink-faint">
              <MomentText time={note.created_at} />
            </span>
          </div>
          <p className="mt-0.5 line-clamp-2 text-sm [overflow-wrap:anywhere] text-ink-soft">
            {excerptOf(textOf(note))}
          </p>
          <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-xs text-ink-faint">
            <AuthorBadge note={note} />
            {note.author !== null && <span className="mr-1">{note.author}</span>}
            {serviceOf(note) !== null && <Badge>{serviceOf(note)}</Badge>}
            {sortOf(note) !== undefined && <Badge>{sortOf(note)}</Badge>}
            {note.tags.map((tag) => (
              <Badge key={tag}>#{tag}</Badge>
            ))}
          </p>
        </li>
      ))}
    </ul>
  )
}

const textOf = (note: Note): string =>
  'description' in note && note.description !== '' ? note.description : note.content
