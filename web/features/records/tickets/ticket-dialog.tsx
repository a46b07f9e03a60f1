import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { Ticket } from '#records/contract'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { MarkdownField } from '../../../ui/markdown-field.tsx'
import { recordsKey } from '../record-queries.ts'
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
  const isNew = ticket === undefined
  const body = {
    ...draft,
    title: draft.title.trim(),
    priority: draft.priority.trim() || null,
    assignee: draft.assignee.trim() || null,
    url: draft.url.trim() || null,
  }
  const form = useForm(recordsKey(groupId), isNew ? 'Ticket added' : 'Ticket updated', onClose, () =>
    isNew
      ? call('POST', '/api/tickets', { body: { ...body, source: 'manual' } })
      : call('PATCH', '/api/tickets/{id}', { path: { id: ticket.id }, body }),
  )
  return (
    <FormDialog
      title={isNew ? 'Add ticket' : 'Edit ticket'}
      action={isNew ? 'Add ticket' : 'Save changes'}
      wide
      {...form}
    >
      <TextField
        label="Title"
        required
        autoFocus
        maxLength={500}
        error={errorOf(form.error, 'title')}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <MarkdownField
        label="Description"
        value={draft.description}
        error={errorOf(form.error, 'description')}
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
          error={errorOf(form.error, 'url')}
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
      queryKey={recordsKey(groupId)}
      remove={() => call('DELETE', '/api/tickets/{id}', { path: { id: ticket.id } })}
      noun="ticket"
      name={ticket.title}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      <p>The analytics no longer count it. To keep it, set its status to Cancelled instead.</p>
    </DeleteDialog>
  )
}
