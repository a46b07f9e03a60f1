import { useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { Price } from '#usage/contract'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import {
  bodyOf,
  draftOf,
  furtherPrices,
  mainPrices,
  problemsOf,
  type PriceDraft,
  type PriceField,
  type PriceProblems,
} from './price-draft.ts'
import { modelPricesQuery, useSetPrice } from './pricing-queries.ts'
import { TextField } from '../../ui/text-field.tsx'

interface PriceDialogProps {
  groupId: string
  model: string
  onClose: () => void
}

/** Sets a custom price of a model for this group, starting from the current price. */
export function PriceDialog({ groupId, model, onClose }: PriceDialogProps) {
  const prices = useQuery(modelPricesQuery(groupId, model))
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Price of ${model}`}
      description="In US dollars, for this group, from now on. Past requests keep the price they had."
    >
      {!prices.isFetched ? (
        <DialogBody>
          <Skeleton className="h-32" />
        </DialogBody>
      ) : (
        // A price can be set even if the current one failed to load.
        <PriceForm groupId={groupId} model={model} current={prices.data?.current ?? null} onClose={onClose} />
      )}
    </Dialog>
  )
}

function PriceForm({ groupId, model, current, onClose }: PriceDialogProps & { current: Price | null }) {
  const set = useSetPrice(groupId, model)
  const [draft, setDraft] = useState(() => draftOf(current))
  const [problems, setProblems] = useState<PriceProblems>({})
  const change = (field: PriceField, text: string) => {
    setDraft({ ...draft, [field]: text })
    setProblems({ ...problems, [field]: undefined })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(draft)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    set.mutate(bodyOf(draft, current), {
      onSuccess: () => {
        toast.success(`Price of ${model} set`)
        onClose()
      },
    })
  }
  const shared = { draft, problems, onChange: change }
  const hasFurther = furtherPrices.some(({ field }) => draft[field] !== '' || problems[field] !== undefined)
  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
      <DialogBody>
        <PriceFields fields={mainPrices} {...shared} first />
        <details open={hasFurther} className="group rounded-xl border border-line px-4 py-3">
          <summary className="text-sm font-medium text-ink-soft">Cache, audio and request prices</summary>
          <p className="mt-1 mb-4 text-xs text-ink-faint">
            Leave a field empty if the provider has no separate price for it: the input or output price then
            applies.
          </p>
          <PriceFields fields={furtherPrices} {...shared} />
        </details>
        {current !== null && (current.tiers !== null || current.unit_prices !== null) && (
          <p className="text-xs text-ink-faint">
            The current price also has tiers or unit prices. They stay as they are; use the API to change
            them.
          </p>
        )}
        {set.error !== null && <FailureNotice error={set.error} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={set.isPending}>
          Set price
        </Button>
      </DialogActions>
    </form>
  )
}

interface PriceFieldsProps {
  fields: readonly { field: PriceField; label: string; hint: string }[]
  draft: PriceDraft
  problems: PriceProblems
  onChange: (field: PriceField, text: string) => void
  first?: boolean
}

function PriceFields({ fields, draft, problems, onChange, first }: PriceFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map(({ field, label, hint }, index) => (
        <TextField
          key={field}
          label={label}
          hint={`$ ${hint}`}
          error={problems[field]}
          autoFocus={first === true && index === 0}
          inputMode="decimal"
          autoComplete="off"
          className="font-mono"
          value={draft[field]}
          onChange={(text) => onChange(field, text)}
        />
      ))}
    </div>
  )
}
