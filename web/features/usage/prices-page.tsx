import { getRouteApi, Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ArrowLeft, Plus, SearchX, Tag } from 'lucide-react'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { daysAfter, today } from '../../ui/days.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { NewPriceDialog } from './new-price-dialog.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { joinPrices, selectPrices, type PricedModel } from './price-list.ts'
import { PriceTable } from './price-table.tsx'
import { readPricesAddress } from './prices-address.ts'
import { pricesQuery } from './pricing-queries.ts'
import { byModelQuery } from '../../api/usage-queries.ts'

const route = getRouteApi('/shell/usage/prices')

export const PricesPage = inGroup(Prices)

function Prices({ group }: { group: CurrentGroup }) {
  const prices = useQuery(pricesQuery(group.id))
  const used = useQuery(byModelQuery(group.id, { start_date: daysAfter(today(), -29) }))
  const [isAdding, setAdding] = useState(false)
  const manages = mayManage(group.role)
  const failed = prices.error ?? used.error
  return (
    <Page
      title="Prices"
      description="What each model costs. Most prices are built in; a custom price overrides them for this group from now on."
      actions={
        <>
          <Link to="/usage" className={buttonClass()}>
            <ArrowLeft aria-hidden className="size-4" /> Usage
          </Link>
          {manages && (
            <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
              Set price
            </Button>
          )}
        </>
      }
    >
      {failed && (
        <FailureNotice error={failed} onRetry={() => Promise.all([prices.refetch(), used.refetch()])} />
      )}
      {!failed && (prices.isPending || used.isPending) && <ListSkeleton rows={6} />}
      {prices.data && used.data && (
        <PriceList group={group} models={joinPrices(prices.data, used.data)} onAdd={() => setAdding(true)} />
      )}
      {isAdding && <NewPriceDialog groupId={group.id} onClose={() => setAdding(false)} />}
    </Page>
  )
}

interface PriceListProps {
  group: CurrentGroup
  models: PricedModel[]
  onAdd: () => void
}

function PriceList({ group, models, onAdd }: PriceListProps) {
  const { q = '', model } = route.useSearch()
  const navigate = route.useNavigate()
  const [priced, setPriced] = useState<string | null>(null)
  const show = (part: Record<string, unknown>) =>
    void navigate({
      search: (before) => readPricesAddress({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    })
  const manages = mayManage(group.role)
  const selected = selectPrices(models, q)
  const unpriced = models.filter(({ price, unpriced }) => price === null && unpriced > 0)
  if (models.length === 0)
    return (
      <EmptyState
        icon={Tag}
        title="No prices yet"
        action={
          manages && (
            <Button look="primary" icon={Plus} onClick={onAdd}>
              Set price
            </Button>
          )
        }
      >
        Models appear here once they are used or have a custom price. Hundreds of prices are built in, so you
        rarely need to set one.
      </EmptyState>
    )
  return (
    <div className="space-y-4">
      {unpriced.length > 0 && (
        <Notice tone="warning" title={`No price for ${unpriced.map((each) => each.model).join(', ')}`}>
          {manages
            ? 'Requests to these models are logged without a cost. Set a price for new requests.'
            : 'Requests to these models are logged without a cost. Ask an owner or admin of the group to set a price.'}
        </Notice>
      )}
      <SearchInput
        label="Filter by model or provider"
        className="sm:w-80"
        value={q}
        onChange={(event) => show({ q: event.target.value })}
      />
      {selected.length > 0 ? (
        <PriceTable
          models={selected}
          manages={manages}
          onSet={setPriced}
          onHistory={(each) => show({ model: each })}
        />
      ) : (
        <EmptyState
          icon={SearchX}
          title="No matching models"
          action={<Button onClick={() => show({ q: undefined })}>Clear filter</Button>}
        >
          None of the {models.length} models matches the filter. You can set a price for a model that was
          never used.
        </EmptyState>
      )}
      {priced !== null && <PriceDialog groupId={group.id} model={priced} onClose={() => setPriced(null)} />}
      {model !== undefined && (
        <HistoryDialog
          groupId={group.id}
          model={model}
          manages={manages}
          onSet={() => {
            show({ model: undefined })
            setPriced(model)
          }}
          onClose={() => show({ model: undefined })}
        />
      )}
    </div>
  )
}
