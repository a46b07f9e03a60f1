import { useState } from 'react'
import type { ApiKey } from '#access/contract'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { NewKeyDialog } from './create-key-dialog.tsx'
import { useRotateKey } from './key-queries.ts'

const overlaps = { '0': 'Now', '3600': 'In 1 hour', '86400': 'In 1 day', '604800': 'In 7 days' }
const choices = Object.entries(overlaps).map(([id, label]) => ({ id, label }))

/** First when the old value ends, then the new one, which is shown once. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useRotateKey(apiKey)
  if (rotate.data)
    return <NewKeyDialog apiKey={rotate.data} title={`Key “${apiKey.name}” rotated`} open onClose={onClose} />
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Rotate “${apiKey.name}”?`}
      action="Rotate key"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(Number(overlap))}
    >
      <p>The key gets a new value, and keeps its name, scopes and logs. When does the old value end?</p>
      <Segmented label="The old value ends" value={overlap} onChange={setOverlap} choices={choices} />
    </ConfirmDialog>
  )
}
