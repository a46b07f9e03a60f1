import { useQuery } from '@tanstack/react-query'
import { Tag, Undo2 } from 'lucide-react'
import { toast } from 'sonner'
import type { ModelPrices, Price } from '#usage/contract'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { exactDollars } from '../../ui/money.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { countText } from '../../ui/quantity.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { furtherPrices, mainPrices } from './price-draft.ts'
import { priceSources, spanOfPrice } from './price-words.ts'
import { modelPricesQuery, useDropPrice } from './pricing-queries.ts'

interface HistoryDialogProps {
  groupId: string
  model: string
  manages: boolean
  onSet: () => void
  onClose: () => void
}

/** All prices of a model, newest first. */
export function HistoryDialog({ groupId, model, manages, onSet, onClose }: HistoryDialogProps) {
  const prices = useQuery(modelPricesQuery(groupId, model))
  const drop = useDropPrice(groupId, model)
  const end = () =>
    drop.mutate(undefined, { onSuccess: () => toast.success(`Custom price of ${model} removed`) })
  return (
    <Dialog
      open
      onClose={onClose}
      title={model}
      description="In US dollars. A request keeps the price that was in effect when it started."
    >
      <DialogBody>
        {prices.isPending && <Skeleton className="h-40" />}
        {prices.error && <FailureNotice error={prices.error} />}
        {drop.error && <FailureNotice error={drop.error} />}
        {prices.data && <PriceHistory prices={prices.data} />}
      </DialogBody>
      {manages && (
        <DialogActions>
          {prices.data?.current?.source === 'own' && (
            <Button icon={Undo2} busy={drop.isPending} onClick={end}>
              Remove custom price
            </Button>
          )}
          <Button look="primary" icon={Tag} onClick={onSet}>
            {prices.data?.current ? 'Change price' : 'Set price'}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  )
}

function PriceHistory({ prices: { current, history } }: { prices: ModelPrices }) {
  const others = history.filter(({ id }) => id !== current?.id)
  return (
    <ol className="space-y-3">
      {current && <PriceEntry price={current} isCurrent />}
      {others.map((price) => (
        <PriceEntry key={price.id} price={price} />
      ))}
    </ol>
  )
}

function PriceEntry({ price, isCurrent }: { price: Price; isCurrent?: boolean }) {
  const amounts = [...mainPrices, ...furtherPrices].flatMap(({ field, label, hint }) => {
    const amount = price[field]
    return amount === null ? [] : [{ label, hint, amount }]
  })
  const units = Object.entries(price.unit_prices ?? {}).map(([label, amount]) => ({
    label,
    hint: 'each',
    amount,
  }))
  return (
    <li className={`rounded-xl border px-4 py-3 ${isCurrent ? 'border-primary' : 'border-line'}`}>
      <p className="flex flex-wrap items-center gap-2 text-xs text-ink-faint">
        {isCurrent && <Badge tone="success">current</Badge>}
        <Badge tone={price.source === 'own' ? 'accent' : 'neutral'}>{priceSources[price.source].name}</Badge>
        <span>{spanOfPrice(price)}</span>
      </p>
      <dl className="mt-2 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
        {[...amounts, ...units].map(({ label, hint, amount }) => (
          <div key={label} className="flex justify-between gap-3">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="font-mono" title={hint}>
              {exactDollars(amount)}
            </dd>
          </div>
        ))}
      </dl>
      {price.tiers?.map((tier) => (
        <p key={tier.above_tokens} className="mt-1 text-xs text-ink-faint">
          above {countText(tier.above_tokens)} input tokens:{' '}
          {[
            tier.input_price_per_1m && `input ${exactDollars(tier.input_price_per_1m)}`,
            tier.output_price_per_1m && `output ${exactDollars(tier.output_price_per_1m)}`,
            tier.cache_read_price_per_1m && `cached ${exactDollars(tier.cache_read_price_per_1m)}`,
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      ))}
    </li>
  )
}
