import { useState } from 'react'
import { Tag } from 'lucide-react'
import type { CostLine, UsageLogDetail } from '#usage/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { difference, exactDollars } from '../../ui/money.ts'
import { Notice } from '../../ui/notice.tsx'
import { countText } from '../../ui/quantity.ts'
import { inForceText, PriceDialog, priceSources } from '../usage/index.ts'
import { cameToNothing } from './log-words.ts'
import { Part } from './part.tsx'

/** How the cost was calculated: every line, the price used, and the cost the provider reports. */
export function CostSection({ log, group }: { log: UsageLogDetail; group: CurrentGroup }) {
  const [isPricing, setPricing] = useState(false)
  const manages = mayManage(group.role)
  const button = (
    <Button size="small" icon={Tag} onClick={() => setPricing(true)}>
      {log.price === null ? 'Set price' : 'Change price'}
    </Button>
  )
  return (
    <Part title="Cost" action={manages && log.price !== null && button}>
      {log.total_cost === null && cameToNothing(log) ? (
        <p className="text-sm text-ink-soft">
          No cost: the request failed before any tokens were used. This model has no price yet.
        </p>
      ) : log.total_cost === null ? (
        <Notice tone="warning" title="This model has no price">
          <p>
            The cost is unknown, not zero.{' '}
            {manages
              ? 'Set a price to calculate the cost of new requests. To price past requests, run “signalbox usage price --from” on the server.'
              : 'Ask an owner or admin of the group to set one.'}
          </p>
          {manages && <div className="mt-2.5 mb-0.5">{button}</div>}
        </Notice>
      ) : (
        <CostTable log={log} total={log.total_cost} />
      )}
      <Stated log={log} />
      <PriceUsed log={log} />
      {isPricing && <PriceDialog groupId={group.id} model={log.model} onClose={() => setPricing(false)} />}
    </Part>
  )
}

function CostTable({ log, total }: { log: UsageLogDetail; total: string }) {
  const side = (name: 'input' | 'output') => log.cost_lines?.filter((line) => line.side === name) ?? []
  return (
    <table className="w-full border-separate border-spacing-0 overflow-hidden rounded-xl border border-line text-sm">
      <thead className="sr-only">
        <tr>
          <th>Item</th>
          <th>Quantity and price</th>
          <th>Cost</th>
        </tr>
      </thead>
      <Side name="Input" lines={side('input')} sum={log.input_cost} />
      <Side name="Output" lines={side('output')} sum={log.output_cost} />
      <tfoot>
        <tr className="bg-sunken font-semibold">
          <th scope="row" colSpan={2} className="px-4 py-2.5 text-left">
            Total
            {log.usage_source === 'estimated' && (
              <span className="font-normal text-ink-faint"> (estimated)</span>
            )}
          </th>
          <td className="px-4 py-2.5 text-right font-mono">{exactDollars(total)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** The lines of one side; a subtotal only where there are several. */
function Side({ name, lines, sum }: { name: string; lines: readonly CostLine[]; sum: string | null }) {
  return (
    <tbody>
      {lines.map((line) => (
        <tr key={line.what} className="text-ink-soft">
          <th scope="row" className="border-b border-line px-4 py-2 text-left font-normal">
            {line.what}
          </th>
          <td className="border-b border-line py-2 text-right text-xs whitespace-nowrap">
            {calculationText(line)}
          </td>
          <td className="border-b border-line px-4 py-2 text-right font-mono text-xs">
            {exactDollars(line.cost)}
          </td>
        </tr>
      ))}
      {sum !== null && lines.length > 1 && (
        <tr>
          <th scope="row" colSpan={2} className="border-b border-line px-4 py-2 text-left font-medium">
            {name} subtotal
          </th>
          <td className="border-b border-line px-4 py-2 text-right font-mono">{exactDollars(sum)}</td>
        </tr>
      )}
    </tbody>
  )
}

function calculationText({ quantity, unit, price }: CostLine): string {
  const amount = exactDollars(price)
  if (unit === 'tokens') return `${countText(quantity)} × ${amount} / 1M`
  return `${countText(quantity)} ${unit} × ${amount}`
}

/** The provider's figure beside ours: a difference points to an outdated price or a wrong invoice. */
function Stated({ log }: { log: UsageLogDetail }) {
  if (log.stated_cost === null) return null
  const apart = log.total_cost === null ? undefined : difference(log.stated_cost, log.total_cost)
  return (
    <dl className="mt-3 flex flex-wrap justify-between gap-x-4 px-4 text-sm">
      <dt className="text-ink-soft">Reported by the provider</dt>
      <dd className="font-mono">{exactDollars(log.stated_cost)}</dd>
      {apart !== undefined && (
        <dd className="w-full text-right text-xs text-ink-faint">
          {apart === '0'
            ? 'matches the calculated cost'
            : `${exactDollars(apart).replace('−', '')} ${apart.startsWith('-') ? 'less' : 'more'} than calculated`}
        </dd>
      )}
    </dl>
  )
}

function PriceUsed({ log: { price, model } }: { log: UsageLogDetail }) {
  if (price === null) return null
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 px-4 text-xs text-ink-faint">
      <Badge tone={price.source === 'own' ? 'accent' : 'neutral'}>{priceSources[price.source].name}</Badge>
      <span>
        {price.model_id === model ? 'price' : `price of ${price.model_id}`}, {inForceText(price)}
      </span>
    </p>
  )
}
