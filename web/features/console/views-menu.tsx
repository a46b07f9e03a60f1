import { useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import type { SavedView } from '#console/contract'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Popover } from '../../ui/popover.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { deleteView, saveView, viewsQuery } from './console-queries.ts'

interface ViewsMenuProps {
  groupId: string
  /** The current filter as a query string. */
  query: string
  onOpen: (query: string) => void
}

/** The named filters of the group. */
export function ViewsMenu({ groupId, query, onOpen }: ViewsMenuProps) {
  const [open, setOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  return (
    <>
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Saved views"
        trigger={<Button icon={Bookmark}>Views</Button>}
      >
        <ViewList
          groupId={groupId}
          onOpen={(view) => {
            setOpen(false)
            onOpen(view.query)
          }}
        />
        <div className="border-t border-line p-2">
          <Button
            look="quiet"
            icon={BookmarkPlus}
            className="w-full"
            disabled={query === ''}
            onClick={() => {
              setOpen(false)
              setSaving(true)
            }}
          >
            {query === '' ? 'Filter the list to save a view' : 'Save current view'}
          </Button>
        </div>
      </Popover>
      {isSaving && (
        <SaveDialog
          noun="view"
          description="Everyone in the group can open it."
          queryKey={viewsQuery(groupId).queryKey}
          save={(name) => saveView({ name, query })}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}

function ViewList({ groupId, onOpen }: { groupId: string; onOpen: (view: SavedView) => void }) {
  const queryClient = useQueryClient()
  const views = useQuery(viewsQuery(groupId))
  const remove = useMutation({
    mutationFn: deleteView,
    onSuccess: () => {
      toast.success('View deleted')
      return refreshQueries(queryClient, viewsQuery(groupId))
    },
  })
  const error = views.error ?? remove.error
  return (
    <div className="max-h-72 overflow-y-auto p-1">
      {error && <FailureNotice error={error} onRetry={() => views.refetch()} />}
      {views.isPending && <Skeleton className="m-2 h-8" />}
      {views.data?.length === 0 && (
        <p className="px-3 py-2 text-sm text-ink-faint">
          No saved views. A saved view keeps search, filters and time range for everyone in the group.
        </p>
      )}
      <ul>
        {views.data?.map((view) => (
          <li key={view.id} className="flex items-center gap-1">
            <button
              type="button"
              onClick={() => onOpen(view)}
              className="h-8 min-w-0 flex-1 truncate rounded-lg px-2.5 text-left text-sm hover:bg-hover"
            >
              {view.name}
            </button>
            <IconButton
              label={`Delete view ${view.name}`}
              icon={Trash2}
              disabled={remove.isPending}
              onClick={() => remove.mutate(view.id)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
