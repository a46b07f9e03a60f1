import { EllipsisVertical, History, Tag } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { exactDollars } from '../../ui/money.ts'
import { providerName } from '../../ui/provider-name.ts'
import { shortCount } from '../../ui/quantity.ts'
import { Cell, Row, Table } from '../../ui/table.tsx'
import type { PricedModel } from './price-list.ts'
import { priceSources } from './price-words.ts'

interface PriceTableProps {
  models: PricedModel[]
  manages: boolean
  onSet: (model: string) => void
  onHistory: (model: string) => void
}

const maxRows = 200

export function PriceTable({ models, manages, onSet, onHistory }: PriceTableProps) {
  return (
    <>
      <Table
        label="Prices"
        columns={['Model', 'Input / 1M', 'Output / 1M', 'Cached / 1M', 'Source', 'Last 30 days', 'Actions']}
        rows={models.slice(0, maxRows)}
        sortBy={{
          Model: ({ model }) => model,
          'Input / 1M': ({ price }) => amountOf(price?.input_price_per_1m),
          'Output / 1M': ({ price }) => amountOf(price?.output_price_per_1m),
          'Cached / 1M': ({ price }) => amountOf(price?.cache_read_price_per_1m),
          'Last 30 days': ({ requests }) => requests,
        }}
      >
        {(each) => (
          <PriceRow
            key={`${each.provider} ${each.model}`}
            each={each}
            manages={manages}
            onSet={onSet}
            onHistory={onHistory}
          />
        )}
      </Table>
      {models.length > maxRows && (
        <p className="text-center text-xs text-ink-faint">
          {models.length - maxRows} more. Filter by name to see them.
        </p>
      )}
    </>
  )
}

const amountOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text)

type PriceRowProps = Omit<PriceTableProps, 'models'> & { each: PricedModel }

function PriceRow({ each, manages, onSet, onHistory }: PriceRowProps) {
  const { model, provider, price, requests } = each
  const second = price?.unit_prices?.['audio_seconds']
  // Billed by the time of the audio, not by tokens.
  const isByTime = second !== undefined && Number(price?.input_price_per_1m) === 0
  const amount = (text: string | null | undefined) =>
    text === null || text === undefined ? (
      <span className="text-ink-faint">–</span>
    ) : (
      <span className="block max-w-24 truncate" title={exactDollars(text)}>
        {exactDollars(text)}
      </span>
    )
  return (
    <Row>
      <Cell part="lead">
        <div className="min-w-0">
          <p className="max-w-60 truncate font-medium" title={model}>
            {model}
          </p>
          {provider !== null && <p className="text-xs text-ink-faint">{providerName(provider)}</p>}
        </div>
      </Cell>
      <Cell label="Input" className="text-sm">
        {isByTime ? `${exactDollars(second)} per second` : amount(price?.input_price_per_1m)}
      </Cell>
      <Cell label="Output" className="text-sm">
        {amount(isByTime ? null : price?.output_price_per_1m)}
      </Cell>
      <Cell label="Cached" className="text-sm">
        {amount(price?.cache_read_price_per_1m)}
      </Cell>
      <Cell label="Source">
        <Source each={each} manages={manages} onSet={onSet} />
      </Cell>
      <Cell label="Last 30 days" className="text-sm whitespace-nowrap text-ink-soft">
        {requests === 0 ? (
          <span className="text-ink-faint">not used</span>
        ) : (
          <Link to="/logs" search={{ model }} className="underline decoration-line-strong underline-offset-2">
            {shortCount(requests)} {requests === 1 ? 'request' : 'requests'}
          </Link>
        )}
      </Cell>
      <Cell part="actions">
        <Menu trigger={<IconButton label={`Actions for ${model}`} icon={EllipsisVertical} />}>
          {manages && (
            <MenuItem icon={Tag} onSelect={() => onSet(model)}>
              {price?.source === 'own' ? 'Change price' : 'Set custom price'}
            </MenuItem>
          )}
          <MenuItem icon={History} onSelect={() => onHistory(model)}>
            Show price history
          </MenuItem>
        </Menu>
      </Cell>
    </Row>
  )
}

function Source({ each: { price, model, unpriced }, manages, onSet }: Omit<PriceRowProps, 'onHistory'>) {
  if (price !== null)
    return (
      <span title={priceSources[price.source].meaning}>
        <Badge tone={price.source === 'own' ? 'accent' : 'neutral'}>{priceSources[price.source].name}</Badge>
      </span>
    )
  if (manages && unpriced > 0)
    return (
      <Button size="small" look="primary" icon={Tag} onClick={() => onSet(model)}>
        Set price
      </Button>
    )
  if (unpriced > 0) return <span className="text-sm text-accent">no price</span>
  return (
    <span className="text-sm text-ink-faint" title="All requests for this model failed">
      not needed
    </span>
  )
}
