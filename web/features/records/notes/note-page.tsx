import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { mayWrite, useCurrentGroup, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { RecordFailure } from '../../../shell/record-failure.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { recordQuery, recordsKey } from '../record-queries.ts'
import { AuthorBadge } from './author-badge.tsx'
import { NoteDialog } from './note-dialog.tsx'
import {
  devlogs,
  learnings,
  serviceOf,
  skills,
  sortOf,
  titleOf,
  type Note,
  type NoteKind,
} from './note-kinds.ts'

export const DevlogPage = () => <NotePage kind={devlogs} />
export const SkillPage = () => <NotePage kind={skills} />
export const LearningPage = () => <NotePage kind={learnings} />

function NotePage({ kind }: { kind: NoteKind }) {
  const group = useCurrentGroup()
  const { id = '' } = useParams({ strict: false })
  if (group === null) return <NoGroup />
  return <Found key={`${group.id} ${id}`} group={group} kind={kind} id={id} />
}

function Found({ group, kind, id }: { group: CurrentGroup; kind: NoteKind; id: string }) {
  const { data, error, refetch } = useQuery(recordQuery(group.id, `/api/${kind.path}/{id}`, { path: { id } }))
  if (error && !data)
    return <RecordFailure error={error} noun={kind.noun} to={`/${kind.path}`} onRetry={refetch} />
  return data ? <Reader group={group} kind={kind} note={data} /> : <PageSkeleton />
}

function Reader({ group, kind, note }: { group: CurrentGroup; kind: NoteKind; note: Note }) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete' | undefined>()
  const close = () => setOpen(undefined)
  return (
    <>
      <BackLink to={`/${kind.path}`}>{kind.title}</BackLink>
      <Page
        title={titleOf(note)}
        {...('description' in note && note.description !== '' ? { description: note.description } : {})}
        actions={
          mayWrite(group) && (
            <>
              <Button icon={Pencil} onClick={() => setOpen('edit')}>
                Edit {kind.noun}
              </Button>
              <Button look="quiet" icon={Trash2} onClick={() => setOpen('delete')}>
                Delete {kind.noun}
              </Button>
            </>
          )
        }
      >
        <Origin note={note} />
        <Card>
          {note.content.trim() === '' ? (
            <p className="text-sm text-ink-faint">No content.</p>
          ) : (
            <Markdown source={note.content} />
          )}
        </Card>
        {open === 'edit' && <NoteDialog groupId={group.id} kind={kind} note={note} onClose={close} />}
        {open === 'delete' && (
          <DeleteDialog
            queryKey={recordsKey(group.id)}
            remove={() => call('DELETE', `/api/${kind.path}/{id}`, { path: { id: note.id } })}
            noun={kind.noun}
            name={titleOf(note)}
            onClose={close}
            onDeleted={() => void navigate({ to: `/${kind.path}` })}
          >
            <p>This can’t be undone.</p>
          </DeleteDialog>
        )}
      </Page>
    </>
  )
}

/** Who wrote it, when, and about what. */
function Origin({ note }: { note: Note }) {
  const service = serviceOf(note)
  return (
    <p className="-mt-3 mb-4 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-sm text-ink-soft">
      <AuthorBadge note={note} />
      {note.author !== null && <span>{note.author}</span>}
      <MomentText time={note.created_at} />
      {service !== null && (
        <Link to="/services/$name" params={{ name: service }} className="flex hover:underline">
          <Badge>{service}</Badge>
        </Link>
      )}
      {sortOf(note) !== undefined && <Badge>{sortOf(note)}</Badge>}
      {note.tags.map((tag) => (
        <Badge key={tag}>#{tag}</Badge>
      ))}
    </p>
  )
}
