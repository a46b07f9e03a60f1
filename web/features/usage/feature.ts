import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { ChartNoAxesColumn, Tag } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
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

export const usage = {
  pages: [page, prices],
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
} satisfies Feature
