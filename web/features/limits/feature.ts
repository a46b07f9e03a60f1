import { createRoute } from '@tanstack/react-router'
import { Gauge, Plus } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, on, text } from '../../ui/address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/limits',
  /** A new limit may begin with its subject; `limit`: the one that a link is about. */
  validateSearch: addressReader({ new: on, type: text, id: text, limit: text }),
  component: lazyPage(() => import('./limits-page.tsx'), 'LimitsPage'),
})

export const limits = {
  pages: [page],
  navigation: [
    {
      section: 'Gateway',
      label: 'Limits',
      icon: Gauge,
      page,
      keywords: ['budget'],
      counts: { kinds: ['budget'] },
    },
  ],
  commands: [
    {
      label: 'Add limit',
      may: 'manage',
      keywords: ['budget', 'rate', 'quota', 'spend'],
      icon: Plus,
      go: { to: '/limits', search: { new: true } },
    },
  ],
} satisfies Feature
