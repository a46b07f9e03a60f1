import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Download,
  EllipsisVertical,
  FileJson,
  FileText,
  Keyboard,
  Link2,
  ShieldCheck,
  Terminal,
  Trash2,
  Waypoints,
} from 'lucide-react'
import { toast } from 'sonner'
import type { TranscriptDetail } from '#transcripts/contract'
import { refreshQueries } from '../../../api/refresh-queries.ts'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { copyText } from '../../../ui/copy-button.tsx'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../../ui/menu.tsx'
import { deleteSession, exportAddress, transcriptsKey } from '../transcript-queries.ts'
import { titleOf } from '../transcript-words.ts'

interface SessionActionsProps {
  group: CurrentGroup
  session: TranscriptDetail
  onShowKeys: () => void
}

export function SessionActions({ group, session, onShowKeys }: SessionActionsProps) {
  const [isDeleting, setDeleting] = useState(false)
  const copy = (text: string, message: string) =>
    void copyText(text).then((isCopied) => isCopied && toast.success(message, { description: text }))
  const { resume_command: resume } = session
  const navigate = useNavigate()
  return (
    <>
      <ExportMenu groupId={group.id} session={session} />
      <Menu trigger={<IconButton label="More actions" icon={EllipsisVertical} className="size-9" />}>
        <MenuItem
          icon={Waypoints}
          onSelect={() => void navigate({ to: '/why', search: { type: 'session', id: session.id } })}
        >
          Why, and what it led to
        </MenuItem>
        {resume !== null && (
          <MenuItem icon={Terminal} onSelect={() => copy(resume, 'Resume command copied')}>
            Copy resume command
          </MenuItem>
        )}
        <MenuItem
          icon={Link2}
          onSelect={() => copy(`${location.origin}/transcripts/${session.id}`, 'Link copied')}
        >
          Copy link to session
        </MenuItem>
        <MenuItem icon={Keyboard} onSelect={onShowKeys}>
          Keyboard shortcuts
        </MenuItem>
        {mayManage(group.role) && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} danger onSelect={() => setDeleting(true)}>
              Delete session
            </MenuItem>
          </>
        )}
      </Menu>
      {isDeleting && <DeleteSession group={group} session={session} onClose={() => setDeleting(false)} />}
    </>
  )
}

/** The browser downloads the file: it may be larger than the memory of a page. */
function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

function ExportMenu({ groupId, session }: { groupId: string; session: TranscriptDetail }) {
  const save = (format: 'markdown' | 'json', redact: boolean) => () =>
    download(exportAddress(groupId, session.id, format, redact))
  return (
    <Menu
      trigger={
        <Button icon={Download} aria-label="Export" className="max-sm:px-2.5!">
          <span className="max-sm:hidden">Export</span>
        </Button>
      }
    >
      <MenuItem icon={FileText} onSelect={save('markdown', false)}>
        Markdown
      </MenuItem>
      <MenuItem icon={FileJson} onSelect={save('json', false)}>
        JSON
      </MenuItem>
      <MenuLine />
      <MenuLabel>Without tool output, images and paths</MenuLabel>
      <MenuItem icon={ShieldCheck} onSelect={save('markdown', true)}>
        Redacted Markdown
      </MenuItem>
      <MenuItem icon={ShieldCheck} onSelect={save('json', true)}>
        Redacted JSON
      </MenuItem>
    </Menu>
  )
}

function DeleteSession({
  group,
  session,
  onClose,
}: Omit<SessionActionsProps, 'onShowKeys'> & { onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => deleteSession(session.id),
    onSuccess: async () => {
      toast.success('Session deleted')
      await navigate({ to: '/transcripts' })
      await refreshQueries(queryClient, { queryKey: transcriptsKey(group.id) })
    },
  })
  return (
    <ConfirmDialog
      open
      title={`Delete “${titleOf(session)}”?`}
      action="Delete session"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      The messages, images and subagents of this session are erased and cannot be restored. The file on{' '}
      {session.machine} is not touched, and the watcher does not send it again.
    </ConfirmDialog>
  )
}
