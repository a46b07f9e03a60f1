import { useState, type FormEvent } from 'react'
import type { Scope } from '#access/contract'
import { splitFieldErrors } from '../../api/field-errors.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { problemsOf, type KeyDraft, type KeyProblems } from './key-draft.ts'
import { AllowLists, listFields } from './allow-lists.tsx'
import { OverridesEditor } from './overrides-editor.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface KeyFormProps {
  groupId: string
  start: KeyDraft
  allowed: readonly Scope[]
  action: string
  busy: boolean
  error: unknown
  onSubmit: (draft: KeyDraft) => void
  onCancel: () => void
}

export function KeyForm({ groupId, start, allowed, action, busy, error, onSubmit, onCancel }: KeyFormProps) {
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<KeyProblems>({})
  const refused = splitFieldErrors(error, listFields)
  const change = (part: Partial<KeyDraft>) => {
    setDraft({ ...draft, ...part })
    // An error disappears when its field changes.
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in part))))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(draft, Date.now())
    setProblems(found)
    if (Object.keys(found).length === 0) onSubmit(draft)
  }
  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
      <DialogBody>
        <TextField
          label="Name"
          hint="The app or person that will use it."
          error={problems.name}
          autoFocus
          maxLength={100}
          autoComplete="off"
          placeholder="Build server"
          value={draft.name}
          onChange={(text) => change({ name: text })}
        />
        <ScopePicker
          allowed={allowed}
          value={draft.scopes}
          onChange={(scopes) => change({ scopes })}
          error={problems.scopes}
        />
        <ExpiryField value={draft.expiry} onChange={(expiry) => change({ expiry })} error={problems.expiry} />
        <AllowLists groupId={groupId} draft={draft} problems={refused.problems} onChange={change} />
        <OverridesEditor
          groupId={groupId}
          overrides={draft.overrides}
          onChange={(overrides) => change({ overrides })}
        />
        {refused.rest !== null && <FailureNotice error={refused.rest} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
