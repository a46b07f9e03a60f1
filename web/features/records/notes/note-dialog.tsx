import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import { servicesQuery } from '../../../api/services.ts'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { MarkdownField } from '../../../ui/markdown-field.tsx'
import { recordsKey } from '../record-queries.ts'
import { ChoiceField, TextField } from '../../../ui/text-field.tsx'
import { bodyOf, draftOf, type NoteDraft } from './note-draft.ts'
import { titleOf, type Note, type NoteKind } from './note-kinds.ts'

interface NoteDialogProps {
  groupId: string
  kind: NoteKind
  /** Undefined: a new one. */
  note?: Note | undefined
  onClose: () => void
}

export function NoteDialog({ groupId, kind, note, onClose }: NoteDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(kind, note))
  const isNew = note === undefined
  const name = kind.noun.slice(0, 1).toUpperCase() + kind.noun.slice(1)
  const form = useForm(recordsKey(groupId), `${name} ${isNew ? 'saved' : 'updated'}`, onClose, () => {
    const body = bodyOf(kind, draft)
    return isNew
      ? call('POST', `/api/${kind.path}`, { body })
      : call('PATCH', `/api/${kind.path}/{id}`, { path: { id: note.id }, body })
  })
  return (
    <FormDialog
      title={isNew ? `Write ${kind.noun}` : `Edit “${titleOf(note)}”`}
      action={isNew ? `Save ${kind.noun}` : 'Save changes'}
      wide
      {...form}
    >
      <NoteFields
        groupId={groupId}
        kind={kind}
        draft={draft}
        error={form.error}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </FormDialog>
  )
}

interface NoteFieldsProps {
  groupId: string
  kind: NoteKind
  draft: NoteDraft
  error: unknown
  onChange: (part: Partial<NoteDraft>) => void
}

function NoteFields({ groupId, kind, draft, error, onChange }: NoteFieldsProps) {
  const services = useQuery({ ...servicesQuery(groupId), enabled: kind.hasService }).data ?? []
  const isNamed = kind.titleField === 'name'
  return (
    <>
      <TextField
        label={isNamed ? 'Name' : 'Title'}
        hint={isNamed ? 'Small letters, digits and . _ -, such as review-migration.' : undefined}
        required
        autoFocus
        maxLength={isNamed ? 63 : 500}
        error={errorOf(error, kind.titleField)}
        value={draft.title}
        onChange={(title) => onChange({ title })}
      />
      {kind.hasDescription && (
        <TextField
          label="Description"
          hint="When to use it, in one sentence."
          maxLength={2_000}
          value={draft.description}
          onChange={(description) => onChange({ description })}
        />
      )}
      <MarkdownField
        label="Content"
        value={draft.content}
        error={errorOf(error, 'content')}
        onChange={(content) => onChange({ content })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {kind.hasService && (
          <ChoiceField
            label="Service"
            value={draft.service_id}
            choices={[
              { id: '', label: 'None' },
              ...services.map(({ name, title }) => ({ id: name, label: title })),
              ...(draft.service_id === '' || services.some(({ name }) => name === draft.service_id)
                ? []
                : [{ id: draft.service_id, label: draft.service_id }]),
            ]}
            onChange={(service_id) => onChange({ service_id })}
          />
        )}
        {kind.sort && (
          <TextField
            label={kind.sort.label}
            required
            maxLength={100}
            value={draft.sort}
            onChange={(sort) => onChange({ sort })}
          />
        )}
        <TextField
          label="Tags"
          hint="Separated by commas."
          error={errorOf(error, 'tags')}
          value={draft.tags}
          onChange={(tags) => onChange({ tags })}
        />
      </div>
    </>
  )
}
