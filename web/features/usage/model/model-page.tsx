import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Bot, History, Play, Tag } from 'lucide-react'
import type { Model } from '#gateway/contract'
import type { ByModel, Price } from '#usage/contract'
import { modelsQuery } from '../../../api/models.ts'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { byModelQuery } from '../../../api/usage-queries.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { RecordMissing } from '../../../shell/record-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { exactDollars } from '../../../ui/money.ts'
import { FailureNotice } from '../../../ui/notice.tsx'
import { providerName } from '../../../ui/provider-name.ts'
import { countText } from '../../../ui/quantity.ts'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { withEvents, type Moment } from '../../../ui/thing/moments.ts'
import { ThingPage } from '../../../ui/thing/thing-page.tsx'
import { Timeline } from '../../../ui/thing/timeline.tsx'
import { useEvents } from '../../../ui/thing/use-events.ts'
import { RecentRequests } from '../../logs/index.ts'
import { RoutesOfModel } from '../../routes/index.ts'
import { HistoryDialog } from '../history-dialog.tsx'
import { PriceDialog } from '../price-dialog.tsx'
import { priceSources } from '../price-words.ts'
import { modelPricesQuery } from '../pricing-queries.ts'
import { SpendOverTime } from '../spend-over-time.tsx'
import { usedName } from './used-name.ts'

const route = getRouteApi('/shell/models/$')

export const ModelPage = inGroup(Found)

/** What is known of a name: that the gateway offers it, or that it was asked for. */
function Found({ group }: { group: CurrentGroup }) {
  const { _splat: id = '' } = route.useParams()
  const models = useQuery(modelsQuery(group.id))
  const used = useQuery(byModelQuery(group.id, {}))
  const failed = models.error ?? used.error
  if (failed) return <FailureNotice error={failed} onRetry={() => [models.refetch(), used.refetch()]} />
  if (!models.data || !used.data) return <PageSkeleton />
  const name = usedName(id, used.data)
  const uses = used.data.filter(({ model }) => model === name)
  const model = models.data.find((each) => each.id === id || each.id.endsWith(`/${id}`))
  if (!model && uses.length === 0) return <RecordMissing noun="model" to="/usage/prices" />
  return <Detail key={id} {...{ group, id, name, model, uses }} />
}

interface DetailProps {
  group: CurrentGroup
  id: string
  /** As the usage log has it. */
  name: string
  model: Model | undefined
  uses: readonly ByModel[]
}

function Detail({ group, id, name, model, uses }: DetailProps) {
  const filter = { model: name }
  // A model without a price has none to read.
  const prices = useQuery({ ...modelPricesQuery(group.id, name), retry: false }).data
  const events = useEvents(group.id, { type: 'config', metadata: { event: 'price.changed', modelId: name } })
  return (
    <ThingPage
      back={{ to: '/usage/prices', children: 'Prices' }}
      title={id}
      description={model?.name && model.name !== id ? `Model, ${model.name}` : 'Model'}
      actions={<Actions group={group} id={id} name={name} hasPrices={prices !== undefined} />}
      facts={factsOf(name, model, uses, prices?.current ?? null)}
      aside={<RoutesOfModel groupId={group.id} names={[id, name]} />}
      empty={
        <EmptyState icon={Bot} title="No requests for this model">
          Spend and requests appear here when an app or the playground asks for it.
        </EmptyState>
      }
      timeline={<Timeline moments={withEvents((prices?.history ?? []).flatMap(momentOf), events)} />}
    >
      <SpendOverTime groupId={group.id} name={name} filter={filter} />
      <RecentRequests groupId={group.id} filter={filter} search={filter} />
    </ThingPage>
  )
}

interface ActionsProps {
  group: CurrentGroup
  id: string
  name: string
  hasPrices: boolean
}

function Actions({ group, id, name, hasPrices }: ActionsProps) {
  const [open, setOpen] = useState<'price' | 'history' | null>(null)
  const manages = mayManage(group.role)
  return (
    <>
      <Link to="/playground" search={{ model: id }} className={buttonClass()}>
        <Play aria-hidden className="size-4" /> Try in playground
      </Link>
      {manages && (
        <Button icon={Tag} onClick={() => setOpen('price')}>
          Set price
        </Button>
      )}
      {hasPrices && (
        <Button look="quiet" icon={History} onClick={() => setOpen('history')}>
          Show price history
        </Button>
      )}
      {open === 'price' && <PriceDialog groupId={group.id} model={name} onClose={() => setOpen(null)} />}
      {open === 'history' && (
        <HistoryDialog
          groupId={group.id}
          model={name}
          manages={manages}
          onSet={() => setOpen('price')}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

const inAndOut = ({ input_price_per_1m: input, output_price_per_1m: output }: Price): string =>
  `${exactDollars(input)} in, ${exactDollars(output)} out per 1M tokens`

/** A price that was always in effect did not happen at any time. */
const momentOf = (price: Price): Moment[] =>
  Date.parse(price.effective_from) > 0
    ? [
        {
          at: price.effective_from,
          title: `Price: ${inAndOut(price)}`,
          kind: priceSources[price.source].name,
        },
      ]
    : []

function factsOf(name: string, model: Model | undefined, uses: readonly ByModel[], price: Price | null) {
  const providers = [...new Set(uses.flatMap(({ provider }) => provider ?? []))]
  return [
    {
      name: 'Name',
      value: (
        <span className="flex items-center gap-1">
          <code className="font-mono text-xs [overflow-wrap:anywhere]">{name}</code>
          <CopyButton text={name} what="name" className="size-6" />
        </span>
      ),
    },
    (model !== undefined || providers.length > 0) && {
      name: 'Provider',
      value: (providers.length > 0 ? providers : [model?.owned_by ?? '']).map(providerName).join(', '),
    },
    {
      name: 'Price',
      value:
        price === null ? (
          <span className="text-ink-faint">no price</span>
        ) : (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {inAndOut(price)}
            <Badge tone={price.source === 'own' ? 'accent' : 'neutral'}>
              {priceSources[price.source].name}
            </Badge>
          </span>
        ),
    },
    typeof model?.context_length === 'number' && {
      name: 'Context',
      value: `${countText(model.context_length)} tokens`,
    },
    typeof model?.max_output_tokens === 'number' && {
      name: 'Max output',
      value: `${countText(model.max_output_tokens)} tokens`,
    },
    model !== undefined &&
      model.capabilities.length > 0 && {
        name: 'Can do',
        value: (
          <span className="flex flex-wrap gap-1">
            {model.capabilities.map((capability) => (
              <Badge key={capability}>{capability}</Badge>
            ))}
          </span>
        ),
      },
  ]
}
