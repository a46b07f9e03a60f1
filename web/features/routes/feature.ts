import { createRoute } from '@tanstack/react-router'
import { Plus, Split } from 'lucide-react'
import { lazyPage } from '../../shell/lazy-page.ts'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readRoutesAddress } from './routes-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/routes',
  validateSearch: readRoutesAddress,
  component: lazyPage(() => import('./routes-page.tsx'), 'RoutesPage'),
})

const one = createRoute({
  getParentRoute: () => shellRoute,
  path: '/routes/$name',
  component: lazyPage(() => import('./route-page.tsx'), 'RoutePage'),
})

export const routes = {
  pages: [page, one],
  navigation: [{ section: 'Gateway', label: 'Routes', icon: Split, page, isMore: true }],
  commands: [
    {
      label: 'Create route',
      may: 'manage',
      keywords: ['failover', 'fallback', 'alias', 'load balancing', 'model'],
      icon: Plus,
      go: { to: '/routes', search: { new: true } },
    },
  ],
} satisfies Feature
