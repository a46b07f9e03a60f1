import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { ChartNoAxesColumn, Scale, Tag } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, day } from '../../ui/address.ts'
import { readPricesAddress } from './prices-address.ts'
import { readUsageAddress } from './usage-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage',
  validateSearch: readUsageAddress,
  component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
})

const prices = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage/prices',
  validateSearch: readPricesAddress,
  component: lazyPage(() => import('./prices-page.tsx'), 'PricesPage'),
})

/** Names of models have slashes. */
const model = createRoute({
  getParentRoute: () => shellRoute,
  path: '/models/$',
  component: lazyPage(() => import('./model/model-page.tsx'), 'ModelPage'),
})

const statement = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage/statement',
  validateSearch: addressReader({ from: day, to: day }),
  component: lazyPage(() => import('./statement-page.tsx'), 'StatementPage'),
})

export const usage = {
  pages: [page, prices, model, statement],
  navigation: [
    { section: 'Observe', label: 'Usage', icon: ChartNoAxesColumn, page, keywords: ['spend', 'cost'] },
    {
      section: 'Gateway',
      label: 'Model prices',
      icon: Tag,
      page: prices,
      isMore: true,
      keywords: ['cost', 'pricing', 'tokens'],
      counts: { kinds: ['unpriced_model'], word: 'missing' },
    },
  ],
  commands: [
    {
      label: 'Open statement',
      keywords: ['cost', 'outside the gateway', 'reconcile', 'transcripts'],
      icon: Scale,
      go: { to: '/usage/statement' },
    },
  ],
} satisfies Feature
