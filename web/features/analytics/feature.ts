import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { ChartSpline } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readAnalyticsAddress } from './analytics-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/analytics',
  validateSearch: readAnalyticsAddress,
  component: lazyPage(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
})

export const analytics = {
  pages: [page],
  navigation: [{ section: 'Observe', label: 'Analytics', icon: ChartSpline, page, isMore: true }],
  commands: [
    {
      label: 'Show analytics of the last 30 days',
      keywords: ['dora', 'velocity', 'lead time', 'uptime', 'metrics'],
      icon: ChartSpline,
      go: { to: '/analytics', search: { range: '30d' } },
    },
  ],
} satisfies Feature
