import { createRoute } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readAlertsAddress } from './alerts-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts',
  validateSearch: readAlertsAddress,
  component: lazyPage(() => import('./alerts-page.tsx'), 'AlertsPage'),
})

export const alerts = {
  pages: [page],
  navigation: [
    {
      section: 'Observe',
      label: 'Alerts',
      icon: BellRing,
      page,
      isMore: true,
      counts: { kinds: ['alert_firing'], word: 'firing' },
    },
  ],
  commands: [
    {
      label: 'Create alert',
      may: 'manage',
      keywords: ['new', 'notify', 'budget', 'spend', 'anomaly'],
      icon: Plus,
      go: { to: '/alerts', search: { new: true } },
    },
  ],
} satisfies Feature
