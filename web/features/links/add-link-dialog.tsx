import { useState } from 'react'
import type { ThingRef } from '#links/contract'
import { call } from '../../api/client.ts'
import { errorOf, FormDialog, useForm } from '../../ui/form-dialog.tsx'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { linksKey } from './link-queries.ts'
import { typeNames } from './link-words.ts'
import { readThing } from './read-thing.ts'

interface AddLinkDialogProps {
  groupId: string
  thing: ThingRef
  onClose: () => void
}

const ways = [
  { id: 'cause', label: 'This came from it' },
  { id: 'effect', label: 'It came from this' },
] as const

export function AddLinkDialog({ groupId, thing, onClose }: AddLinkDialogProps) {
  const [address, setAddress] = useState('')
  const [way, setWay] = useState<(typeof ways)[number]['id']>('cause')
  const [evidence, setEvidence] = useState('')
  const found = readThing(address, location.origin)
  const form = useForm(linksKey(groupId), 'Link added', onClose, () => {
    const other = found ?? { type: 'commit', id: address.trim() }
    const ends = way === 'cause' ? { from: thing, to: other } : { from: other, to: thing }
    return call('POST', '/api/v1/links', { body: { ...ends, evidence: evidence.trim() } })
  })
  return (
    <FormDialog
      title="Add link"
      description="Paste the address of a page of Signalbox, of a pull request, or the hash of a commit."
      action="Add link"
      {...form}
    >
      <TextField
        label="Address"
        required
        autoFocus
        placeholder="https://github.com/shop/checkout/pull/7"
        hint={found ? typeNames[found.type] : 'A ticket, session, run, initiative, pull request or commit'}
        error={errorOf(form.error, 'id')}
        value={address}
        onChange={setAddress}
      />
      <ChoiceField label="Direction" value={way} choices={ways} onChange={setWay} />
      <TextField
        label="Why"
        hint="Optional, for others to read."
        maxLength={1_000}
        error={errorOf(form.error, 'evidence')}
        value={evidence}
        onChange={setEvidence}
      />
    </FormDialog>
  )
}
