import { EllipsisVertical, History, Tag } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { exactDollars } from '../../ui/money.ts'
import { providerName } from '../../ui/provider-name.ts'
import { shortCount } from '../../ui/quantity.ts'
import { Table } from '../../ui/table.tsx'
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
        rows={models.slice(0, maxRows)}
        rowKey={({ provider, model }) => `${provider} ${model}`}
        columns={[
          {
            name: 'Model',
            value: ({ model }) => model,
            cell: ({ model, provider }) => (
              <div className="min-w-0">
                <Link
                  to="/models/$"
                  params={{ _splat: model }}
                  title={model}
                  className="block max-w-60 truncate font-medium hover:underline"
                >
                  {model}
                </Link>
                {provider !== null && <p className="text-xs text-ink-faint">{providerName(provider)}</p>}
              </div>
            ),
          },
          {
            name: 'Input / 1M',
            short: 'Input',
            value: ({ price }) => amountOf(price?.input_price_per_1m),
            cell: ({ price }) => {
              const second = secondPrice(price)
              return second === undefined ? (
                <Amount text={price?.input_price_per_1m} />
              ) : (
                `${exactDollars(second)} per second`
              )
            },
            className: 'text-sm',
          },
          {
            name: 'Output / 1M',
            short: 'Output',
            value: ({ price }) => amountOf(price?.output_price_per_1m),
            cell: ({ price }) => (
              <Amount text={secondPrice(price) === undefined ? price?.output_price_per_1m : null} />
            ),
            className: 'text-sm',
          },
          {
            name: 'Cached / 1M',
            short: 'Cached',
            value: ({ price }) => amountOf(price?.cache_read_price_per_1m),
            cell: ({ price }) => <Amount text={price?.cache_read_price_per_1m} />,
            className: 'text-sm',
          },
          { name: 'Source', cell: (each) => <Source each={each} manages={manages} onSet={onSet} /> },
          {
            name: 'Last 30 days',
            value: ({ requests }) => requests,
            cell: (each) => <Requests each={each} />,
            className: 'text-sm whitespace-nowrap text-ink-soft',
          },
          {
            name: 'Actions',
            cell: ({ model, price }) => (
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
            ),
          },
        ]}
      />
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

/** What a second of audio costs, where a model is billed by its time and not by tokens. */
function secondPrice(price: PricedModel['price']): string | undefined {
  return Number(price?.input_price_per_1m) === 0 ? price?.unit_prices?.['audio_seconds'] : undefined
}

function Amount({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return <span className="text-ink-faint">–</span>
  return (
    <span className="block max-w-24 truncate" title={exactDollars(text)}>
      {exactDollars(text)}
    </span>
  )
}

function Requests({ each: { model, requests } }: { each: PricedModel }) {
  if (requests === 0) return <span className="text-ink-faint">not used</span>
  return (
    <Link to="/logs" search={{ model }} className="underline decoration-line-strong underline-offset-2">
      {shortCount(requests)} {requests === 1 ? 'request' : 'requests'}
    </Link>
  )
}

type SourceProps = Pick<PriceTableProps, 'manages' | 'onSet'> & { each: PricedModel }

function Source({ each: { price, model, unpriced }, manages, onSet }: SourceProps) {
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
