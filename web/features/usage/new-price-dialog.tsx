import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** First asks for the model, then for its price. */
export function NewPriceDialog({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [model, setModel] = useState<string | null>(null)
  if (model !== null) return <PriceDialog groupId={groupId} model={model} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title="Set price" description="Choose the model first.">
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') setModel(name.trim())
        }}
      >
        <DialogBody>
          <TextField
            label="Model"
            hint="The exact name your apps send in the “model” field."
            autoFocus
            maxLength={300}
            autoComplete="off"
            spellCheck={false}
            placeholder="my-model"
            className="font-mono"
            value={name}
            onChange={setName}
          />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={name.trim() === ''}>
            Continue
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
