import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { mayWrite, useCurrentGroup, type CurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { NoMatches } from '../no-matches.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'
import { NoteCards } from './note-cards.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { NoteFilter } from './note-filter.tsx'
import { devlogs, learnings, skills, type NoteKind } from './note-kinds.ts'
import { readNotesAddress } from './notes-address.ts'

export const DevlogsPage = () => <NotesPage kind={devlogs} />
export const SkillsPage = () => <NotesPage kind={skills} />
export const LearningsPage = () => <NotesPage kind={learnings} />

function NotesPage({ kind }: { kind: NoteKind }) {
  const group = useCurrentGroup()
  return group === null ? <NoGroup /> : <Notes key={group.id} group={group} kind={kind} />
}

function Notes({ group, kind }: { group: CurrentGroup; kind: NoteKind }) {
  const address = readNotesAddress(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { new: isAdding, ...filter } = address
  const show = (part: Record<string, unknown>) =>
    void navigate({ to: `/${kind.path}`, search: readNotesAddress({ ...address, ...part }), replace: true })
  const add = mayWrite(group) && (
    <Button look="primary" icon={Plus} onClick={() => show({ new: true })}>
      Write {kind.noun}
    </Button>
  )
  const empty =
    Object.keys(filter).length > 0 ? (
      <NoMatches
        noun={kind.noun}
        plural={kind.path}
        onClear={() => void navigate({ to: `/${kind.path}`, search: {}, replace: true })}
      />
    ) : (
      <EmptyState icon={kind.icon} title={`No ${kind.path} yet`} action={add || undefined}>
        {kind.empty}
      </EmptyState>
    )
  return (
    <Page title={kind.title} description={kind.description} actions={add}>
      <div className="space-y-4">
        <NoteFilter groupId={group.id} kind={kind} address={address} onChange={show} />
        <PagedList
          query={listQuery(group.id, `/api/${kind.path}`, { query: filter })}
          every={15_000}
          empty={empty}
        >
          {(notes) => <NoteCards kind={kind} notes={notes} />}
        </PagedList>
      </div>
      {isAdding === true && (
        <NoteDialog groupId={group.id} kind={kind} onClose={() => show({ new: false })} />
      )}
    </Page>
  )
}
