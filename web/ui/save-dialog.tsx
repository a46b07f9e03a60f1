import { useState } from 'react'
import type { QueryKey } from '@tanstack/react-query'
import { FormDialog, useForm } from './form-dialog.tsx'
import { TextField } from './text-field.tsx'

const maxName = 100

interface SaveDialogProps {
  /** What is saved, such as `search`. */
  noun: string
  /** Who finds it again. */
  description: string
  /** The name to begin with. */
  name?: string
  /** The saved things, which are loaded again. */
  queryKey: QueryKey
  save: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the name of what is saved. */
export function SaveDialog({
  noun,
  description,
  name: given = '',
  queryKey,
  save,
  onClose,
}: SaveDialogProps) {
  const [name, setName] = useState(given.slice(0, maxName))
  const done = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} saved`
  const form = useForm(queryKey, done, onClose, () => save(name.trim()))
  return (
    <FormDialog {...form} title={`Save ${noun}`} description={description} action={`Save ${noun}`}>
      <TextField
        label="Name"
        autoFocus
        required
        pattern=".*\S.*"
        maxLength={maxName}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}
