import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { toast } from 'sonner'
import type { Ticket } from '#records/contract'
import { DeleteDialog } from '../delete-dialog.tsx'
import { errorOf, FormDialog } from '../../../ui/form-dialog.tsx'
import { MarkdownField } from '../../../ui/markdown-field.tsx'
import { useRecordChange } from '../record-queries.ts'
import { ChoiceField, TextField } from '../../../ui/text-field.tsx'
import { priorities, statusNames, ticketStatuses } from './ticket-words.ts'

interface TicketDialogProps {
  groupId: string
  /** Undefined: a new one. */
  ticket?: Ticket | undefined
  onClose: () => void
}

export function TicketDialog({ groupId, ticket, onClose }: TicketDialogProps) {
  const [draft, setDraft] = useState({
    title: ticket?.title ?? '',
    description: ticket?.description ?? '',
    status: ticket?.status ?? ('open' as const),
    priority: ticket?.priority ?? '',
    assignee: ticket?.assignee ?? '',
    url: ticket?.url ?? '',
  })
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const save = useRecordChange(groupId)
  const isNew = ticket === undefined
  const body = {
    ...draft,
    title: draft.title.trim(),
    priority: draft.priority.trim() || null,
    assignee: draft.assignee.trim() || null,
    url: draft.url.trim() || null,
  }
  const submit = () =>
    save.mutate(
      () =>
        isNew
          ? call('POST', '/api/tickets', { body: { ...body, source: 'manual' } })
          : call('PATCH', '/api/tickets/{id}', { path: { id: ticket.id }, body }),
      {
        onSuccess: () => {
          toast.success(isNew ? 'Ticket added' : 'Ticket updated')
          onClose()
        },
      },
    )
  return (
    <FormDialog
      title={isNew ? 'Add ticket' : 'Edit ticket'}
      action={isNew ? 'Add ticket' : 'Save changes'}
      wide
      busy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        autoFocus
        maxLength={500}
        error={errorOf(save.error, 'title')}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <MarkdownField
        label="Description"
        value={draft.description}
        error={errorOf(save.error, 'description')}
        onChange={(description) => change({ description })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label="Status"
          value={draft.status}
          choices={ticketStatuses.map((id) => ({ id, label: statusNames[id] }))}
          onChange={(status) => change({ status })}
        />
        <TextField
          label="Priority"
          maxLength={40}
          list="ticket-priorities"
          value={draft.priority}
          onChange={(priority) => change({ priority })}
        />
        <datalist id="ticket-priorities">
          {priorities.map((priority) => (
            <option key={priority} value={priority} />
          ))}
        </datalist>
        <TextField
          label="Assignee"
          maxLength={200}
          value={draft.assignee}
          onChange={(assignee) => change({ assignee })}
        />
        <TextField
          label="Link"
          type="url"
          error={errorOf(save.error, 'url')}
          value={draft.url}
          onChange={(url) => change({ url })}
        />
      </div>
    </FormDialog>
  )
}

interface DeleteTicketDialogProps {
  groupId: string
  ticket: Ticket
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteTicketDialog({ groupId, ticket, onClose, onDeleted }: DeleteTicketDialogProps) {
  return (
    <DeleteDialog
      groupId={groupId}
      remove={() => call('DELETE', '/api/tickets/{id}', { path: { id: ticket.id } })}
      noun="ticket"
      name={ticket.title}
      onClose={onClose}
      {...(onDeleted && { onDeleted })}
    >
      <p>The analytics no longer count it. To keep it, set its status to Cancelled instead.</p>
    </DeleteDialog>
  )
}
